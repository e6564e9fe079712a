import { describe, expect, test } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";

const question = { role: "user" as const, content: "Habari?" };
/** Includes the fields of this gateway's answers and of other gateways'. */
const replayed = {
	role: "assistant",
	content: "Nzuri",
	refusal: null,
	reasoning_content: "A greeting",
	reasoning: "A greeting",
	annotations: [],
	audio: null,
	function_call: null,
	name: "clerk",
	tool_calls: [
		{
			id: "call_one",
			type: "function",
			index: 0,
			function: { name: "look", arguments: "" },
		},
	],
};
const conversation = [
	{ role: "developer", content: "Be brief", id: "1" },
	{ ...question, name: "asha", id: "2" },
	replayed,
	{ role: "tool", tool_call_id: "call_one", content: "None", name: "look" },
	question,
];

/** Returns the messages that a provider got. */
async function sentTo(provider: string, model: string, messages: object[]) {
	const { server, asha, fakes } = await openTestGateway([provider]);
	const answer = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { model, messages },
	});
	expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
	return fakes[provider]?.received[0]?.body;
}

describe("an answer that is sent back in a conversation", () => {
	const call = {
		id: "call_one",
		type: "function",
		function: { name: "look", arguments: "{}" },
	};
	const said = { role: "assistant", content: "Nzuri", tool_calls: [call] };

	test.each<[string, string, object, string]>([
		["groq", "groq/openai/gpt-oss-20b", {}, "system"],
		["cerebras", "cerebras/gpt-oss-120b", { name: "clerk" }, "system"],
		["together", "together/zai-org/GLM-5.3", { name: "clerk" }, "system"],
		["openai", "gpt-4o", { name: "clerk" }, "developer"],
		[
			"deepseek",
			"deepseek-v4-pro",
			{ name: "clerk", reasoning_content: "A greeting" },
			"system",
		],
	])(
		"an answer sent back to %s has only the fields that it knows",
		async (provider, model, more, instructs) => {
			const { messages } = await sentTo(provider, model, conversation);
			const named = "name" in more;
			expect(messages).toEqual([
				{ role: instructs, content: "Be brief" },
				{ ...question, ...(named && { name: "asha" }) },
				{ ...said, ...more },
				{ role: "tool", tool_call_id: "call_one", content: "None" },
				question,
			]);
		},
	);

	test("an answer sent back to Mistral has ids in Mistral's format and no name", async () => {
		const { messages } = await sentTo(
			"mistral",
			"mistral-large-4",
			conversation,
		);
		const id = expect.stringMatching(/^[a-zA-Z0-9]{9}$/);
		expect(messages).toEqual([
			{ role: "system", content: "Be brief" },
			question,
			{ ...said, tool_calls: [{ ...call, id }] },
			{ role: "tool", tool_call_id: id, content: "None" },
			// Mistral refuses a user's turn right after a tool's.
			{ role: "assistant", content: "OK." },
			question,
		]);
		expect(messages[2].tool_calls[0].id).toBe(messages[3].tool_call_id);
	});
});

test.each([
	["openai", "gpt-4o"],
	["mistral", "mistral-large-4"],
	["anthropic", "claude-haiku-4-5"],
	["google", "gemini-2.5-flash"],
])(
	"a refusal sent back becomes the assistant's text: %s",
	async (provider, model) => {
		const body = await sentTo(provider, model, [
			question,
			{
				role: "assistant",
				content: [
					{ type: "text", text: "No: " },
					{ type: "refusal", refusal: "I can't." },
				],
			},
			question,
		]);
		const [, said] = body.messages ?? body.contents;
		const parts: string | { text: string }[] = said.content ?? said.parts;
		const whole =
			typeof parts === "string"
				? parts
				: parts.map(({ text }) => text).join("");
		expect(whole).toBe("No: I can't.");
		expect(JSON.stringify(body)).not.toContain("refusal");
	},
);

test("a refusal without content becomes the assistant's text", async () => {
	const { messages } = await sentTo("groq", "groq/openai/gpt-oss-20b", [
		question,
		{ role: "assistant", content: null, refusal: "I can't." },
		question,
	]);
	expect(messages[1]).toEqual({ role: "assistant", content: "I can't." });
});

test.each<[string, object[]]>([
	["instructions alone", [{ role: "system", content: "Be brief" }]],
	["a user who says nothing", [{ role: "user", content: "" }]],
])(
	"%s becomes a conversation that isn't empty, as Gemini requires",
	async (_, messages) => {
		const { contents } = await sentTo("google", "gemini-2.5-flash", messages);
		expect(contents).toEqual([{ role: "user", parts: [{ text: "…" }] }]);
	},
);

test("a conversation that continues from the middle begins with the user at Gemini", async () => {
	const { contents } = await sentTo("google", "gemini-2.5-flash", [
		{ role: "assistant", content: "Nzuri" },
		question,
	]);
	expect(contents.map(({ role }: { role: string }) => role)).toEqual([
		"user",
		"model",
		"user",
	]);
});

test.each<[string, object[], object[]]>([
	[
		"neighbours of one role merge into one turn, and instructions come first",
		[
			{ role: "system", content: "Be brief" },
			question,
			{ role: "user", content: "Upo?" },
			{ role: "assistant", content: "Nzuri" },
			{ role: "assistant", content: "Nipo" },
			{ role: "developer", content: "Be kind" },
			question,
		],
		[
			{ role: "system", content: "Be brief\n\nBe kind" },
			{ role: "user", content: "Habari?\n\nUpo?" },
			{ role: "assistant", content: "Nzuri\n\nNipo" },
			question,
		],
	],
	[
		"tool calls and results become text",
		[
			question,
			replayed,
			{ role: "tool", tool_call_id: "call_one", content: "None" },
			{ role: "tool", tool_call_id: "call_two", content: "Some" },
			question,
		],
		[
			question,
			{ role: "assistant", content: "Nzuri\n\nlook({})" },
			{ role: "user", content: "None\n\nSome\n\nHabari?" },
		],
	],
	[
		"the user begins",
		[{ role: "assistant", content: "Nzuri" }, question],
		[
			{ role: "user", content: "…" },
			{ role: "assistant", content: "Nzuri" },
			question,
		],
	],
	[
		"somebody speaks",
		[{ role: "system", content: "Be brief" }],
		[
			{ role: "system", content: "Be brief" },
			{ role: "user", content: "…" },
		],
	],
	[
		"images keep their place",
		[
			question,
			{
				role: "user",
				content: [
					{ type: "text", text: "And this?" },
					{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
				],
			},
		],
		[
			{
				role: "user",
				content: [
					{ type: "text", text: "Habari?" },
					{ type: "text", text: "And this?" },
					{ type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
				],
			},
		],
	],
])("turns alternate at Perplexity: %s", async (_, messages, sent) => {
	const body = await sentTo("perplexity", "sonar-pro", messages);
	expect(body.messages).toEqual(sent);
});
