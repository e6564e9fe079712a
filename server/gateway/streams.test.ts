import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestGateway } from "./testing/gateway.ts";
import { holdTime } from "./testing/held-time.ts";
import type { Act } from "./testing/providers.ts";

const messages = [{ role: "user" as const, content: "Habari?" }];
const body = { model: "gpt-4o", messages, stream: true };

/** Returns the events that a streaming client gets. */
async function eventsOf(act: Act, more: object = {}) {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	holdTime(fakes);
	fakes.openai.act(act);
	const answer = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { ...body, ...more },
	});
	const events = answer.text.split("\n\n").filter((event) => event !== "");
	expect(events.pop()).toBe("data: [DONE]");
	return {
		answer,
		fake: fakes.openai,
		events: events.map((event) => JSON.parse(event.slice("data: ".length))),
	};
}

const finishOf = (event: Record<string, never> | undefined) =>
	(event?.choices as { finish_reason: string }[] | undefined)?.[0]
		?.finish_reason;
const chunk = (choice: object) =>
	`data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", choices: [choice] })}`;

test.each<[string, Act]>([
	["after [DONE]", { stopAfter: 99 }],
	["after the finish reason", { stopAfter: 4 }],
])("a stream whose connection stays open %s ends normally", async (_, act) => {
	const { events } = await eventsOf({ text: "Habari", ...act });
	expect(finishOf(events.at(-1))).toBe("stop");
});

test("the last event of a stream counts even without its empty line", async () => {
	const raw = chunk({ index: 0, delta: {}, finish_reason: "length" });
	const { events } = await eventsOf({
		text: "Habari",
		insert: { at: 3, raw },
		cutAfter: 4,
	});
	expect(finishOf(events.at(-1))).toBe("length");
});

test("a stream ends when all its choices have ended, and is reported broken off if one has not", async () => {
	const second = chunk({ index: 1, delta: { content: "Salama" } });
	const { events, answer } = await eventsOf(
		{ text: "Habari", insert: { at: 3, raw: `${second}\n\n` }, cutAfter: 5 },
		{ n: 2 },
	);
	expect(answer.text).toContain("Salama");
	expect(events.at(-1).error).toMatchObject({
		code: "upstream_stream_interrupted",
	});
});

test("one damaged event in a text is skipped, but the answer not cached; a second one, and one after a call, break it off", async () => {
	const raw = 'data: {"choices":[{"delta":{"content": \n\n';
	const cached = { "x-gateway-cache": "on", "x-gateway-rescue": "off" };
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const ask = async (act: Act) => {
		fakes.openai.act(act);
		const { text, headers } = await server.ask("POST", "/v1/chat/completions", {
			...{ as: asha, body, headers: cached },
		});
		return [
			/"code":"(\w+)"/.exec(text)?.[1] ?? text.includes('"stop"'),
			headers.get("x-gateway-cache"),
		];
	};
	const broken = ["upstream_stream_interrupted", "miss"];
	const spaced = { betweenMs: 2, text: "Habari ya dunia" };
	const args = { sku: "milk" };
	const toolCalls = [{ id: "call_1", name: "stock", args }];
	const calling = { ...spaced, toolCalls, insert: { at: 7, raw } };
	const twice = { ...spaced, insert: { at: 4, raw: raw + raw } };
	expect(await ask(calling)).toEqual(broken);
	expect(await ask(twice)).toEqual(broken);
	const once = { ...spaced, insert: { at: 4, raw } };
	expect(await ask(once)).toEqual([true, "miss"]);
	expect(await ask(once)).toEqual([true, "miss"]);
	expect(await ask(spaced)).toEqual([true, "miss"]);
	expect(await ask(spaced)).toEqual([true, "hit"]);
});

test("a failure with status 200 and no stream is reported with its message", async () => {
	const { server, asha, fakes } = await openTestGateway(["openrouter"]);
	fakes.openrouter.act({
		status: 200,
		body: { error: { code: 402, message: "Insufficient credits" } },
	});
	const answer = await server.ask("POST", "/v1/chat/completions", {
		as: asha,
		body: { ...body, model: "openrouter/z-ai/glm-5.3-flash" },
	});
	expect(answer.body).toMatchObject({
		error: { message: expect.stringContaining("no credit left") },
	});
	expect(fakes.openrouter.received).toHaveLength(1);
});

test("a reasoning model gets more time to its first content once its provider answers", async () => {
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	holdTime(fakes);
	for (const [model, status] of [
		["gpt-5-mini", 200],
		["gpt-4o", 504],
	] as const) {
		const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
		fakes.openai.act({ until, heldAfter: 2 });
		const asked = server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: { ...body, model },
		});
		await expect.poll(() => fakes.openai.received.at(-1)?.written).toBe(2);
		// What is written has arrived by then.
		await sleep(50);
		vi.advanceTimersByTime(60_000);
		goOn();
		expect((await asked).status).toBe(status);
	}
});

test("a client that requests usage gets it, even if the provider doesn't report it", async () => {
	const { events } = await eventsOf(
		{ text: "Habari", cutAfter: 4 },
		{ stream_options: { include_usage: true } },
	);
	expect(events.at(-1)).toMatchObject({
		choices: [],
		usage: { total_tokens: expect.any(Number) },
	});
});

test("an answer's id is its request's id in the log", async () => {
	const { server, asha } = await openTestGateway(["openai"]);
	for (const stream of [true, false]) {
		const { headers } = await server.ask("POST", "/v1/chat/completions", {
			as: asha,
			body: { ...body, stream },
		});
		const id = headers.get("x-request-id");
		expect(id).not.toContain("chatcmpl");
		expect(server.logged()).toContain(`"requestId":"${id}"`);
	}
});

test("a client that reads slowly leaves no listeners behind", async () => {
	const warnings: string[] = [];
	const note = ({ name }: Error) => void warnings.push(name);
	process.on("warning", note);
	onTestFinished(() => void process.off("warning", note));
	const { server, asha, fakes } = await openTestGateway(["openai"]);
	const word = "x".repeat(100_000);
	fakes.openai.act({ text: Array(200).fill(word).join(" ") });
	const asked = request(`${server.url}/v1/chat/completions`, {
		method: "POST",
		headers: {
			authorization: asha.bearer,
			"content-type": "application/json",
		},
	});
	asked.end(JSON.stringify(body));
	const [answer] = await once(asked, "response");
	let bytes = 0;
	for await (const piece of answer) bytes += piece.length;
	expect(bytes).toBeGreaterThan(20_000_000);
	expect(warnings).not.toContain("MaxListenersExceededWarning");
});
