import { describe, expect, test } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";
import type { Act } from "./testing/providers.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const tools = ["look", "sell"].map((name) => ({
	type: "function" as const,
	function: { name, parameters: { type: "object" } },
}));

type WirePart = {
	index?: number;
	id?: string;
	function: { name?: string; arguments?: string };
};

/** Makes a stream with one part of a call in each event. */
function streamOf(parts: WirePart[]): Act {
	const deltas = [
		...parts.map((part) => ({ delta: { tool_calls: [part] } })),
		{ delta: {}, finish_reason: "tool_calls" },
		// Some providers repeat the finish.
		{ delta: {}, finish_reason: "tool_calls" },
	];
	const events = deltas.map((choice) => ({
		choices: [{ index: 0, ...choice }],
	}));
	return {
		status: 200,
		headers: { "content-type": "text/event-stream" },
		body: [...events.map((event) => JSON.stringify(event)), "[DONE]"]
			.map((data) => `data: ${data}\n\n`)
			.join(""),
	};
}

describe("streamed tool calls of compatible providers", () => {
	const called = async (parts: WirePart[]) => {
		const { client, fakes } = await openTestGateway(["openai"]);
		fakes.openai.act(streamOf(parts));
		const whole = await client.chat.completions
			.stream({ model: "gpt-4o", messages, tools })
			.finalChatCompletion();
		expect(whole.choices[0]?.finish_reason).toBe("tool_calls");
		return (whole.choices[0]?.message.tool_calls ?? []).map((call) =>
			call.type === "function"
				? [call.id, call.function.name, call.function.arguments]
				: [],
		);
	};
	const look = { name: "look", arguments: '{"x":1}' };
	const sell = { name: "sell", arguments: '{"y":2}' };

	test("tool calls with one index but different ids are separate calls", async () => {
		expect(
			await called([
				{ index: 0, id: "one", function: look },
				{ index: 0, id: "two", function: { ...sell, arguments: '{"y"' } },
				{ index: 0, function: { arguments: ":2}" } },
				{ index: 0, id: "three", function: look },
			]),
		).toEqual([
			["one", "look", '{"x":1}'],
			["two", "sell", '{"y":2}'],
			["three", "look", '{"x":1}'],
		]);
	});

	test("parts that repeat the id are one tool call", async () => {
		expect(
			await called([
				{ index: 0, id: "one", function: { name: "look", arguments: '{"x"' } },
				{ index: 1, id: "two", function: sell },
				{ index: 0, id: "one", function: { name: "look", arguments: ":1}" } },
			]),
		).toEqual([
			["one", "look", '{"x":1}'],
			["two", "sell", '{"y":2}'],
		]);
	});

	test.each([[""], [undefined]])(
		"a streamed tool call without arguments gets an empty object: %j",
		async (none) => {
			expect(
				await called([
					{ index: 0, id: "one", function: { name: "look", arguments: none } },
					{ index: 1, id: "two", function: sell },
				]),
			).toEqual([
				["one", "look", "{}"],
				["two", "sell", '{"y":2}'],
			]);
		},
	);
});

test("a tool call without arguments in a whole answer gets an empty object", async () => {
	const { client, fakes } = await openTestGateway(["openai"]);
	const call = { id: "one", function: { name: "look", arguments: "" } };
	fakes.openai.act({
		status: 200,
		headers: { "content-type": "application/json" },
		body: {
			choices: [{ message: { tool_calls: [call] }, finish_reason: "stop" }],
		},
	});
	const answer = await client.chat.completions.create({
		model: "gpt-4o",
		messages,
		tools,
	});
	expect(answer.choices[0]?.message.tool_calls).toMatchObject([
		{ function: { name: "look", arguments: "{}" } },
	]);
});

/** Returns the request that a provider got, and the report of its parameters. */
async function sentTo(provider: string, model: string, body: object) {
	const { server, asha, fakes } = await openTestGateway([provider]);
	const answer = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { model, messages, ...body },
	});
	return {
		answer,
		sent: fakes[provider]?.received[0]?.body,
		report: answer.headers.get("x-gateway-params"),
	};
}

test("an answer that only called tools goes back to a provider without a text", async () => {
	const call = {
		type: "function",
		function: { name: "look", arguments: "{}" },
	};
	const { sent } = await sentTo("groq", "groq/llama-3.1-8b-instant", {
		messages: [
			...messages,
			{ role: "assistant", content: "", tool_calls: [{ id: "a", ...call }] },
			{ role: "tool", tool_call_id: "a", content: "40" },
			{ role: "assistant", content: "" },
			...messages,
		],
	});
	expect(
		sent.messages.map(({ content }: { content: unknown }) => content),
	).toEqual(["Habari?", null, "40", "", "Habari?"]);
});

test("tool call ids that Anthropic would refuse are replaced, in the call and its result alike", async () => {
	const ids = ["functions.look:0", "functions.look:1", "call_one-2"];
	const { sent } = await sentTo("anthropic", "claude-haiku-4-5", {
		messages: [
			...messages,
			{
				role: "assistant",
				content: null,
				tool_calls: ids.map((id) => ({
					id,
					type: "function",
					function: { name: "look", arguments: "{}" },
				})),
			},
			...ids.map((id) => ({ role: "tool", tool_call_id: id, content: id })),
		],
	});
	const [, { content: calls }, { content: results }] = sent.messages;
	const called = calls.map(({ id }: { id: string }) => id);
	expect(called).toEqual(
		results.map(({ tool_use_id: id }: { tool_use_id: string }) => id),
	);
	expect(called[2]).toBe("call_one-2");
	expect(new Set(called).size).toBe(3);
	for (const id of called) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
});

test.each([
	["openai", "gpt-4o", "required"],
	["groq", "groq/llama-3.1-8b-instant", "required"],
	["mistral", "mistral-large-4", "any"],
	["anthropic", "claude-haiku-4-5", { type: "any" }],
	["cohere", "command-a-03-2025", "REQUIRED"],
])(
	"a choice of any tool is translated for %s",
	async (provider, model, said) => {
		const { sent } = await sentTo(provider, model, {
			tools,
			tool_choice: "any",
		});
		expect(sent.tool_choice).toEqual(said);
	},
);

test("a choice of an unknown tool is refused, not sent to Cohere without tools", async () => {
	const { answer, sent } = await sentTo("cohere", "command-a-03-2025", {
		tools,
		tool_choice: { type: "function", function: { name: "buy" } },
	});
	expect(answer.status).toBe(400);
	expect(answer.body).toMatchObject({ error: { param: "tool_choice" } });
	expect(sent).toBeUndefined();
});

test("strict tools are dropped and reported for Together", async () => {
	const strict = tools.map(({ function: it, ...tool }) => ({
		...tool,
		function: { ...it, strict: true },
	}));
	const model = "together/zai-org/GLM-5.3";
	const { sent, report } = await sentTo("together", model, { tools: strict });
	expect(sent.tools).toEqual(tools);
	expect(report).toBe("strict=dropped");
	const plain = await sentTo("together", model, { tools });
	expect(plain.report).toBeNull();
});

test("property names in a tool's schema are not taken for schema keywords at Gemini", async () => {
	const parameters = {
		$schema: "https://json-schema.org/draft/2020-12/schema",
		type: "object",
		additionalProperties: false,
		properties: {
			const: { type: "string" },
			additionalProperties: { const: 1 },
			$schema: { anyOf: [{ const: "a" }, { $ref: "#/$defs/const" }] },
			kept: { type: "object", default: { const: 1, additionalProperties: 2 } },
		},
		$defs: { const: { type: "object", additionalProperties: false } },
		required: ["const"],
	};
	const { sent } = await sentTo("google", "gemini-2.5-flash", {
		tools: [{ type: "function", function: { name: "look", parameters } }],
	});
	const [{ parametersJsonSchema }] = sent.tools[0].functionDeclarations;
	expect(parametersJsonSchema).toEqual({
		type: "object",
		properties: {
			const: { type: "string" },
			additionalProperties: { enum: [1] },
			$schema: { anyOf: [{ enum: ["a"] }, { $ref: "#/$defs/const" }] },
			kept: { type: "object", default: { const: 1, additionalProperties: 2 } },
		},
		$defs: { const: { type: "object" } },
		required: ["const"],
	});
});
