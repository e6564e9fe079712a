import { describe, expect, test, vi } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";
import type { Act, Received } from "./testing/providers.ts";

const messages = [{ role: "user", content: "What does the shop sell?" }];
const whole =
	"The shop sells milk, bread and eggs from the farm next door. A litre of milk costs two euros, and a loaf of bread costs one euro and a half.";
const cut: Act = { text: whole, cutAfter: 14 };
const beginning =
	"The shop sells milk, bread and eggs from the farm next door.";
const schema = { type: "object", properties: {} };
const tools = [
	{ type: "function", function: { name: "stock", parameters: schema } },
];
const toolCalls = [{ id: "call_1", name: "stock", args: { sku: "milk" } }];

async function open(
	act: Act | ((asked: Received) => Act),
	standIn = "claude-sonnet-4-6",
) {
	const gateway = await openTestGateway(["openai", "anthropic", "mistral"], {
		env: { GATEWAY_FALLBACK: standIn },
	});
	const { server, asha, fakes } = gateway;
	fakes.openai.act(cut);
	for (const fake of [fakes.anthropic, fakes.mistral]) fake.act(act);
	return {
		...gateway,
		async ask(body: object = {}, headers = {}, path = "chat/completions") {
			const { text } = await server.ask("POST", `/v1/${path}`, {
				as: asha,
				headers,
				body: { model: "gpt-4o", messages, stream: true, ...body },
			});
			return { text, events: text.split("\n\n").map(parse) };
		},
	};
}

interface Event {
	choices?: { delta: { content?: string }; finish_reason: string | null }[];
	usage?: Record<string, number>;
	error?: { code: string; message: string };
	type?: string;
	delta?: string & { text?: string };
}

function parse(event: string): Event {
	const [, data] = /^data: (\{.*)$/m.exec(event) ?? [];
	return data === undefined ? {} : JSON.parse(data);
}

const saidIn = (events: Event[]) =>
	events.map(({ choices }) => choices?.[0]?.delta.content ?? "").join("");

describe("an answer that breaks off goes on", () => {
	test("from OpenAI's other API too", async () => {
		const { ask, fakes } = await open({ text: whole });
		const chat = await ask({ model: "gpt-6-luna", tools });
		expect(fakes.openai.received[0]?.path).toBe("/v1/responses");
		expect(saidIn(chat.events)).toBe(whole);
		expect(chat.text).toContain(
			": x-gateway-resumed-by: anthropic/claude-sonnet-4-6\n\n",
		);
	});

	test("with another model that begins again, at every door, and each word comes once", async () => {
		const { ask } = await open({ text: whole, thought: "Milk? Bread?" });
		const chat = await ask();
		expect(saidIn(chat.events)).toBe(whole);
		expect(chat.text).not.toContain("reasoning");
		expect(chat.text).toContain(
			": x-gateway-resumed-by: anthropic/claude-sonnet-4-6\n\n",
		);
		expect(chat.events.at(-3)?.choices?.[0]?.finish_reason).toBe("stop");
		const input = { input: "What does the shop sell?", messages: undefined };
		const responses = await ask(input, {}, "responses");
		expect(
			responses.events
				.filter(({ type }) => type === "response.output_text.delta")
				.map(({ delta }) => delta)
				.join(""),
		).toBe(whole);
		expect(responses.text).toContain("event: response.completed");
		const claude = await ask({ max_tokens: 100 }, {}, "messages");
		expect(claude.events.map(({ delta }) => delta?.text ?? "").join("")).toBe(
			whole,
		);
		expect(claude.text).toContain("event: message_stop");
	});

	test.each<[string, string]>([
		["repeats the end", "claude-sonnet-4-6"],
		["continues the assistant's turn", "claude-haiku-4-5"],
		["continues a prefix, which it says again", "codestral-2508"],
	])("with a model that %s", async (_, standIn) => {
		const rest = whole.slice(beginning.length);
		const { ask, fakes } = await open(({ body }) => {
			const { role, content } = body.messages.at(-1);
			const isPrefilled = role === "assistant";
			if (isPrefilled) expect(JSON.stringify(content)).toContain(beginning);
			return { text: isPrefilled ? rest : `…${beginning.slice(-50)}${rest}` };
		}, standIn);
		fakes.mistral.act({ text: whole });
		expect(saidIn((await ask()).events)).toBe(whole);
		const [sent] = [...fakes.anthropic.received, ...fakes.mistral.received];
		expect(sent?.body.messages.at(-1).role).toBe(
			standIn === "claude-sonnet-4-6" ? "user" : "assistant",
		);
	});

	test("with the same model, if there is no other, and with a third if the second breaks off too", async () => {
		const gateway = await open(cut);
		const { ask, fakes } = gateway;
		fakes.openai.act(cut, { text: whole });
		expect(saidIn((await ask()).events)).toBe(whole);
		expect(fakes.anthropic.received).toHaveLength(1);
		fakes.openai.act(cut, { text: whole });
		const alone = await ask({}, { "x-gateway-fallback": "" });
		expect(saidIn(alone.events)).toBe(whole);
	});

	test("and counts what all its calls used, once", async () => {
		const { ask, server, asha, fakes } = await open({
			text: whole,
			promptTokens: 90,
			completionTokens: 33,
		});
		const { events } = await ask({ stream_options: { include_usage: true } });
		// Writes what ended.
		await server.ask("GET", "/api/usage", { as: asha });
		const [row] = await server.rows("SELECT * FROM ai_calls");
		// The first call broke off before it counted, so under a budget it counts as the most that it can have used.
		const first = (row?.prompt_tokens as number) - 90;
		const bytes = beginning.length + 1;
		expect(first).toBeGreaterThan(5);
		const usage = events.findLast((event) => event.usage)?.usage;
		expect(usage?.prompt_tokens).toBeGreaterThan(95);
		expect(usage?.prompt_tokens).toBeLessThan(90 + first);
		expect(usage?.completion_tokens).toBe(33 + Math.ceil(bytes / 4));
		expect(row).toMatchObject({
			status: "ok",
			model: "openai/gpt-4o",
			attempts: 2,
			route: expect.stringContaining("resumed by=anthropic/claude-sonnet-4-6"),
			// 2.50 and 10 USD a million, then 3 and 15.
			completion_tokens: 33 + bytes,
			cost: first * 2_500 + bytes * 10_000 + 90 * 3_000 + 33 * 15_000,
		});
		expect(fakes.anthropic.received).toHaveLength(1);
	});
});

describe("an answer that breaks off ends with an error", () => {
	test.each<[string, Act, Act, object, number]>([
		["a tool call has begun", { toolCalls, cutAfter: 4 }, {}, { tools }, 0],
		["there are two choices", cut, {}, { n: 2 }, 0],
		["log probabilities are wanted", cut, {}, { logprobs: true }, 0],
		["another model says something else", cut, { text: "Ask me." }, {}, 2],
		["others call a tool instead", cut, { text: "", toolCalls }, { tools }, 2],
		[
			"other JSON comes",
			{ text: '{"milk": 2, "bread": 1}', cutAfter: 4 },
			{ text: '{"eggs": 3}' },
			{ response_format: { type: "json_object" } },
			1,
		],
	])("if %s", async (_, first, second, body, further) => {
		const { ask, fakes } = await open(second);
		fakes.openai.act(first, second);
		const { events } = await ask(body);
		expect(events.at(-3)?.error).toMatchObject({
			code: "upstream_stream_interrupted",
			message: expect.stringMatching(/^OpenAI: .*mid-answer/),
		});
		expect(fakes.openai.received.length + fakes.anthropic.received.length).toBe(
			1 + further,
		);
	});

	test("if no budget is left for another call, and costs no more than the budget", async () => {
		const { ask, server, asha, fakes } = await open({ text: whole });
		const { body } = await server.ask("POST", "/api/keys", {
			as: asha,
			body: { name: "Till", monthlyBudget: 0.0415 },
		});
		const { key } = body as { key: string };
		const { events } = await ask({}, { authorization: `Bearer ${key}` });
		expect(events.at(-3)?.error?.code).toBe("upstream_stream_interrupted");
		expect(fakes.anthropic.received).toEqual([]);
	});
});

test("a slow stream begins with comments, then its headers; and a failure after that is an event", async () => {
	const wait = globalThis.setInterval;
	// Shortens the five seconds.
	const spy = vi
		.spyOn(globalThis, "setInterval")
		.mockImplementation(((then: () => void, ms: number) =>
			wait(then, ms === 5_000 ? 50 : ms)) as typeof setInterval);
	const { ask, fakes } = await open({});
	fakes.openai.act(
		{ text: whole, delayMs: 150 },
		{ status: 400, body: { error: { message: "odd" } }, delayMs: 150 },
	);
	const { text, events } = await ask();
	expect(text).toMatch(/^(: keep-alive\n\n)+: x-gateway-model: openai\/gpt-4o/);
	expect(saidIn(events)).toBe(whole);
	const failed = await ask();
	expect(failed.text).toMatch(
		/^(: keep-alive\n\n)+data: \{"error":.*\n\ndata: \[DONE\]\n\n$/,
	);
	const claude = await ask({ max_tokens: 100 }, {}, "messages");
	expect(claude.text).toMatch(
		/^(: keep-alive\n\n)+event: error\ndata: .*\n\n$/,
	);
	const input = { input: "What does the shop sell?", messages: undefined };
	const responses = await ask(input, {}, "responses");
	expect(responses.text).toMatch(
		/^(: keep-alive\n\n)+(event: .*\ndata: .*\n\n)*event: response.failed\n/,
	);
	spy.mockRestore();
});
