import { describe, expect, test } from "vitest";
import { openTestGateway } from "./test-gateway.ts";

const question = { role: "user" as const, content: "Habari?" };
/** With what our own answers hold, and what other gateways' do. */
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

/** What a provider was sent of a conversation. */
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
		"has at %s only the fields that are understood there",
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

	test("has Mistral's own ids, and no name there", async () => {
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
			question,
		]);
		expect(messages[2].tool_calls[0].id).toBe(messages[3].tool_call_id);
	});
});
