import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isProof, oneIn } from "../../../sync/testing/lane.ts";
import { key, openBehind } from "./testing/upstream.ts";

const chunk = (delta: object, finish: string | null = null) =>
	`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const first = chunk({ content: "Habari" });
const last = chunk({}, "stop");
const done = "data: [DONE]\n\n";
const bad = Buffer.concat([
	Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
	Buffer.from([0xff, 0xc3]),
	Buffer.from('b"}}]}\n\n'),
]);
const line = "a".repeat(1_000_000);
/** Megabytes to send; nine exceed the limit of one event. */
const lines = isProof ? 100 : 9;

type Behind = Awaited<ReturnType<typeof openBehind>>;
type Piece = string | Uint8Array;
interface Row {
	what: string;
	/** The body that the provider sends. */
	pieces: Piece[];
	/** Leaves the connection open at the end. */
	stays?: true;
	/** How the stream ends for the client. */
	ends: "well" | "with an error";
	hears?: string;
}

const streams: Row[] = [
	{ what: "stalls", pieces: [first], stays: true, ends: "with an error" },
	{
		what: "never ends its line",
		pieces: [first, "data: ", ...Array(lines).fill(line)],
		ends: "with an error",
	},
	{
		what: "never ends its event",
		pieces: [first, ...Array(lines).fill(`data: ${line}\n`)],
		ends: "with an error",
	},
	{
		what: "sends invalid UTF-8",
		pieces: [first, bad, last, done],
		ends: "well",
		hears: "a\ufffd",
	},
	{ what: "ends without its mark", pieces: [first, last], ends: "well" },
	{
		what: "ends without a reason",
		pieces: [first, done],
		ends: "with an error",
	},
	...["7", "null", "[]", '{"choices":7}', "{oops", '"x"'].map(
		(odd): Row => ({
			what: `sends ${odd}`,
			pieces: [first, `data: ${odd}\n\n`],
			ends: "with an error",
		}),
	),
	...[
		'{"choices":[null]}',
		'{"choices":[{"delta":null}]}',
		'{"choices":[{"index":0,"delta":{"content":{"a":1}}}]}',
		'{"choices":[{"index":1e999,"delta":{"content":"x"}}]}',
		'{"choices":[{"index":0,"delta":{"tool_calls":[null]}}]}',
		'{"choices":[{"index":0,"delta":{"tool_calls":7}}]}',
		'{"choices":[],"usage":{"prompt_tokens":-1e308,"completion_tokens":"x"}}',
		'{"choices":[],"usage":7}',
		'{"choices":[],"usage":{"prompt_tokens":1.5,"completion_tokens":1}}',
		'{"choices":[],"usage":{"prompt_tokens":9e15,"completion_tokens":9e15}}',
		'{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1,"cost":-1}}',
	].map(
		(odd): Row => ({
			what: `sends ${odd}`,
			pieces: [first, `data: ${odd}\n\n`],
			ends: "with an error",
		}),
	),
	{
		what: "repeats the key in an error",
		pieces: [
			first,
			`data: {"error":{"message":"Bad key ${key} at http://10.0.0.1/x"}}\n\n`,
		],
		ends: "with an error",
	},
];

/** @param begun resolves once the client has heard the first content */
async function send(
	response: ServerResponse,
	{ pieces, stays }: Row,
	begun: Promise<void>,
): Promise<void> {
	response.writeHead(200, { "content-type": "text/event-stream" });
	for (const piece of pieces) {
		if (response.destroyed) return;
		if (!response.write(piece))
			await Promise.race([
				new Promise((resolve) => response.once("drain", resolve)),
				new Promise((resolve) => response.once("close", resolve)),
			]);
		// A fault that arrives together with the first content would cause failover.
		if (piece === first) await begun;
	}
	if (!stays) response.end();
}

/** Asks for a stream. @returns its beginning */
function askStream(
	{ server, asha }: Pick<Behind, "server" | "asha">,
	signal?: AbortSignal,
): Promise<Response> {
	return fetch(new URL("/v1/chat/completions", server.url), {
		method: "POST",
		...(signal && { signal }),
		headers: {
			authorization: asha.bearer,
			"content-type": "application/json",
		},
		body: JSON.stringify({
			model: "gpt-4o",
			stream: true,
			messages: [{ role: "user", content: "Habari?" }],
		}),
	});
}

describe("a provider whose stream", () => {
	oneIn(4)("a broken provider stream fails only its own call", async () => {
		let row = streams[0] as Row;
		let begun = Promise.withResolvers<void>();
		const behind = await openBehind((response) => {
			void send(response, row, begun.promise);
		});
		const { server, provider, booked } = behind;
		const before = process.memoryUsage.rss();
		for (row of streams) {
			begun = Promise.withResolvers();
			const answer = await askStream(behind);
			begun.resolve();
			const text = await answer.text();
			const { what } = row;
			expect([what, answer.status]).toEqual([what, 200]);
			expect([what, text]).toEqual([what, expect.stringContaining("Habari")]);
			const events = text.split("\n\n").filter((it) => it !== "");
			expect([what, events.at(-1)]).toEqual([what, "data: [DONE]"]);
			const isError = events.at(-2)?.startsWith('data: {"error"') === true;
			expect([what, isError ? "with an error" : "well"]).toEqual([
				what,
				row.ends,
			]);
			if (row.hears !== undefined) expect(text).toContain(row.hears);
			expect(text).not.toContain(key);
			expect(text).not.toContain("10.0.0.1");
			await expect.poll(provider.open).toBe(0);
		}
		expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
		expect(server.logged()).not.toContain(key);
		// One call each: a stream that has begun isn't retried.
		await expect.poll(async () => (await booked()).length).toBe(streams.length);
		const calls = await booked();
		for (const { cost } of calls) {
			expect(cost).toBeGreaterThan(0);
			expect(cost).toBeLessThan(1_000_000_000);
		}
	});

	test("the server closes a provider's stream when the client leaves", async () => {
		const behind = await openBehind(async (response) => {
			response.writeHead(200, { "content-type": "text/event-stream" });
			while (!response.destroyed) {
				response.write(first);
				await sleep(20);
			}
		});
		const { provider, booked } = behind;
		const leaving = new AbortController();
		const answer = await askStream(behind, leaving.signal);
		await answer.body?.getReader().read();
		expect(provider.open()).toBe(1);
		leaving.abort();
		await expect.poll(provider.open).toBe(0);
		await expect
			.poll(booked)
			.toMatchObject([{ status: "cancelled", cost: expect.any(Number) }]);
	});
});

/** Whole answers: the provider's status and bytes, and the expected status. */
const answers: [string, number, string, number][] = [
	["a page", 200, "<html>", 502],
	["null", 200, "null", 502],
	["choices that are none", 200, '{"choices":[null]}', 502],
	[
		"levels without end",
		200,
		`{"choices":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
		200,
	],
	["its own key", 401, `{"error":{"message":"Bad key ${key}"}}`, 502],
	["a failure of megabytes", 500, "x".repeat(5_000_000), 502],
	["a status that is none", 299, "{}", 502],
];

if (isProof)
	answers.push(["more than 64 megabytes", 200, " ".repeat(65_000_000), 502]);

test.each(answers)(
	"a provider that answers %s causes a short error",
	async (_what, status, text, told) => {
		const { server, ask } = await openBehind((response) => {
			response.writeHead(status, { "content-type": "application/json" });
			response.end(text);
		});
		const answer = await ask(false);
		expect(answer.status).toBe(told);
		// An answer without known fields counts as empty.
		if (told === 200)
			expect(answer.body).toMatchObject({
				choices: [{ message: { content: "" } }],
			});
		else expect(Object.keys(answer.body as object)).toEqual(["error"]);
		expect(answer.text.length).toBeLessThan(1_000);
		expect(answer.text).not.toContain(key);
		expect(server.logged()).not.toContain(key);
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
	},
);
