import { describe, expect, test } from "vitest";
import { openTestGateway } from "./test-gateway.ts";
import type { Act } from "./test-providers.ts";

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

/** A stream of such parts of calls, one in each event. */
function streamOf(parts: WirePart[]): Act {
	const deltas = [
		...parts.map((part) => ({ delta: { tool_calls: [part] } })),
		{ delta: {}, finish_reason: "tool_calls" },
		// Some say it twice.
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

describe("calls of tools, as OpenAI's likes stream them,", () => {
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

	test("are several where each has an id of its own, though all have one index", async () => {
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

	test("are one where the id is told again with each part", async () => {
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
		"have an empty object for arguments where none came: %j",
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

test("a call without arguments has an empty object for them in an answer in one piece", async () => {
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
