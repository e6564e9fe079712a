import {
	createServer,
	type IncomingMessage,
	type RequestListener,
} from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { compactType, fromCompact, toCompact } from "../protocol/compact.ts";
import { fetchTransport } from "./fetch.ts";
import { httpTransport } from "./http.ts";
import { linesOf, openTransport } from "./transport.ts";

const answer = {
	businessId: "shop-1",
	results: [],
	changes: [],
	cursor: "e.1",
	hasMore: false,
	epoch: "e",
	serverNow: "2026-11-20T09:00:00.000Z",
	backedUpTo: 0,
};

/** A request's headers, without those that every request has. */
function askedFor({ headers }: IncomingMessage) {
	const {
		host: _,
		connection: __,
		"content-length": ___,
		"transfer-encoding": ____,
		"accept-language": _____,
		"sec-fetch-mode": ______,
		"user-agent": _______,
		...rest
	} = headers;
	return rest.accept === "*/*" ? { ...rest, accept: undefined } : rest;
}

const head = (cursor: string, businessId = "shop-1") =>
	`data: ${JSON.stringify({ businessId, cursor })}\n`;

function json(status: number, body: unknown): RequestListener {
	return (_request, response) => {
		response.writeHead(status, { "content-type": "application/json" });
		response.end(JSON.stringify(body));
	};
}

function packed(
	body: unknown,
	pack: (text: string) => Buffer,
): RequestListener {
	return (_request, response) => {
		response.writeHead(200, { "content-encoding": "gzip" });
		response.end(pack(JSON.stringify(body)));
	};
}

/** Answers in the compact form. */
function compact(status: number, body: unknown): RequestListener {
	return (_request, response) => {
		response.writeHead(status, {
			"content-type": compactType,
			"accept-post": compactType,
		});
		response.end(toCompact(JSON.stringify(body)));
	};
}

const html: RequestListener = (_request, response) => {
	response.writeHead(200, { "content-type": "text/html" });
	response.end("<html>Welcome to the airport. Please accept our terms.</html>");
};

describe.each([
	["a program", httpTransport],
	["a browser", fetchTransport],
])("the transport of %s:", (_kind, open) => {
	/** A server with any answer. */
	async function listen(
		answer: RequestListener,
		timeoutMs = 5_000,
		token: () => string | undefined = () => "secret-token",
	) {
		const server = createServer(answer);
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", () => resolve()),
		);
		onTestFinished(() => {
			server.closeAllConnections();
			server.close();
		});
		const { port } = server.address() as AddressInfo;
		return open({
			baseUrl: `http://127.0.0.1:${port}`,
			businessId: "shop-1",
			token,
			timeoutMs,
		});
	}

	describe("a push over HTTP", () => {
		test("a push sends the token and the request, and returns the answer", async () => {
			const seen: unknown[] = [];
			const transport = await listen(async (request, response) => {
				seen.push(request.method, request.url, askedFor(request));
				for await (const chunk of request) seen.push(String(chunk));
				json(200, answer)(request, response);
			});
			expect(await transport.push('{"mutations":[]}')).toEqual(answer);
			expect(seen).toEqual([
				"POST",
				"/api/sync",
				{
					accept: `${compactType}, application/json`,
					authorization: "Bearer secret-token",
					"accept-encoding": "gzip",
					"cache-control": "no-cache",
					"content-type": "application/json",
				},
				'{"mutations":[]}',
			]);
		});

		test("a push without a token sends none", async () => {
			const seen: unknown[] = [];
			const transport = await listen(
				(request, response) => {
					seen.push(askedFor(request));
					json(401, { error: "Unauthorized" })(request, response);
				},
				5_000,
				() => undefined,
			);
			await expect(transport.pull("e.1", 5)).rejects.toMatchObject({
				code: "unauthorized",
			});
			expect(seen).toEqual([
				{
					accept: `${compactType}, application/json`,
					"accept-encoding": "gzip",
					"cache-control": "no-cache",
				},
			]);
		});

		test.each([
			["The disk is full", { error: "The disk is full" }],
			["The server answered 507", { error: { code: 5 } }],
			["The server answered 507", null],
		])("a refused push throws: %s", async (message, body) => {
			const transport = await listen(json(507, body));
			await expect(transport.push("{}")).rejects.toMatchObject({
				...{ code: "storage_full", message },
			});
		});

		test("a push reads a compressed answer of several megabytes", async () => {
			const results = Array.from({ length: 50_000 }, (_, i) => ({
				id: `mutation-${i}`,
				status: "applied",
			}));
			const transport = await listen(packed({ ...answer, results }, gzipSync));
			expect(await transport.push('{"mutations":[]}')).toEqual({
				...answer,
				results,
			});
		});

		test.each([
			["unauthorized", json(401, { error: "Unauthorized" })],
			["wrong_business", json(403, { error: "wrong_business" })],
			["wrong_business", json(200, { ...answer, businessId: "shop-2" })],
			["unreachable", json(403, { error: "Forbidden" })],
			["unreachable", json(404, { error: "wrong_business" })],
			["unreachable", json(300, answer)],
			["unreachable", json(200, { ...answer, businessId: undefined })],
			["too_large", json(413, { error: "Too large" })],
			["storage_full", json(507, { error: "The disk is full" })],
			["storage_busy", json(503, { error: "Busy" })],
			["unreachable", json(500, { error: "Boom" })],
			["unreachable", json(200, { hello: "world" })],
			["unreachable", json(200, { ...answer, results: "none" })],
			["unreachable", html],
			["unreachable", packed(answer, (text) => Buffer.from(text))],
			["unreachable", packed(answer, (text) => gzipSync(text).subarray(0, -9))],
			[
				"unreachable",
				((_request, response) => {
					response.writeHead(302, { location: "http://portal.example/" });
					response.end("{}");
				}) as RequestListener,
			],
			[
				"unreachable",
				((request) => request.socket.destroy()) as RequestListener,
			],
		])(
			"a push fails with %s for a wrong answer [SYNC-6]",
			async (code, listener) => {
				const transport = await listen(listener);
				await expect(transport.push('{"mutations":[]}')).rejects.toMatchObject({
					code,
				});
			},
		);

		const at = "Sat, 21 Nov 2026 09:00:00 GMT";
		const later = "Sat, 21 Nov 2026 09:00:30 GMT";

		const waits: [number | undefined, Record<string, string>][] = [
			[1_000, { "retry-after": "1" }],
			[120_000, { "retry-after": "120" }],
			// By the server's own clock, regardless of the till's.
			[30_000, { "retry-after": later, date: at }],
			[undefined, { "retry-after": at, date: later }],
			[undefined, { "retry-after": at, date: at }],
			[undefined, { "retry-after": later, date: "noon" }],
			[undefined, {}],
		];
		const nonsense = ["-5", "1.5", "soon", "1 s", "2027-11-21", "0x10", ""];
		for (const value of nonsense)
			waits.push([undefined, { "retry-after": value, date: at }]);

		test.each(waits)(
			"a refused push waits %s ms with the headers %j",
			async (waitMs, headers) => {
				const transport = await listen((request, response) => {
					for (const [name, value] of Object.entries(headers))
						response.setHeader(name, value);
					json(503, { error: "Busy" })(request, response);
				});
				await expect(transport.push('{"mutations":[]}')).rejects.toMatchObject({
					code: "storage_busy",
					waitMs,
				});
			},
		);

		test.each<[string, RequestListener]>([
			["never answers", () => {}],
			["stops in the middle", (_request, response) => response.write("{")],
			[
				"never ends",
				(_request, response) => {
					const timer = setInterval(() => response.write(" "), 10);
					response.on("close", () => clearInterval(timer));
				},
			],
			[
				"breaks off in the middle",
				(_request, response) => {
					response.write("{", () => response.destroy());
				},
			],
		])("a push gives up on a server that %s [SYNC-7]", async (_, listener) => {
			const transport = await listen(listener, 100);
			await expect(transport.push('{"mutations":[]}')).rejects.toMatchObject({
				code: "unreachable",
			});
		});
	});

	describe("the compact form", () => {
		/** Answers each request in its turn, and keeps what was sent. */
		async function listenInTurn(...answers: RequestListener[]) {
			const sent: [type: string | undefined, text: string][] = [];
			const transport = await listen(async (request, response) => {
				const body = Buffer.concat(await request.toArray());
				const type = request.headers["content-type"];
				const isCompact = type === compactType;
				const isGzip = request.headers["content-encoding"] === "gzip";
				const text = isCompact
					? fromCompact(body)
					: `${isGzip ? gunzipSync(body) : body}`;
				sent.push([isGzip ? "gzip" : type, text]);
				answers.shift()?.(request, response);
			});
			return { transport, sent };
		}
		const plainType = "application/json";

		test("a till pushes in the compact form once its server said that it reads it [COMPACT-2]", async () => {
			const { transport, sent } = await listenInTurn(
				json(200, answer),
				(request, response) => {
					response.setHeader("accept-post", compactType);
					json(200, answer)(request, response);
				},
				json(200, answer),
				compact(200, answer),
			);
			for (let i = 0; i < 4; i += 1)
				expect(await transport.push(`{"mutations":[${i}]}`)).toEqual(answer);
			expect(sent).toEqual([
				[plainType, '{"mutations":[0]}'],
				[plainType, '{"mutations":[1]}'],
				[compactType, '{"mutations":[2]}'],
				[compactType, '{"mutations":[3]}'],
			]);
		});

		test("a till whose server has forgotten the form goes on in JSON [COMPACT-2]", async () => {
			const { transport, sent } = await listenInTurn(
				compact(200, answer),
				json(400, { error: "Invalid request body" }),
				json(200, answer),
			);
			await transport.pull("e.1", 5);
			await expect(transport.push("{}")).rejects.toMatchObject({
				code: "unreachable",
			});
			expect(await transport.push("{}")).toEqual(answer);
			expect(sent.map(([type]) => type)).toEqual([
				undefined,
				compactType,
				plainType,
			]);
		});

		test("a push that is too long for the compact form is sent in gzip [COMPACT-4]", async () => {
			const { transport, sent } = await listenInTurn(
				compact(200, answer),
				compact(200, answer),
			);
			const long = `{"mutations":["${"☕ ".repeat(500_000)}"]}`;
			await transport.push("{}");
			await transport.push(long);
			expect(sent[1]).toEqual(["gzip", long]);
		});

		test("a compact answer of another business is not taken [BIZ-2]", async () => {
			const transport = await listen(
				compact(200, { ...answer, businessId: "shop-2" }),
			);
			await expect(transport.pull("e.1", 5)).rejects.toMatchObject({
				code: "wrong_business",
			});
		});

		test.each([
			["no bytes", Uint8Array.of()],
			["other bytes", Buffer.from("<html></html>")],
			["the beginning of an answer", toCompact('{"a":')],
		])("an answer of %s is unreachable [SYNC-6]", async (_what, bytes) => {
			const transport = await listen((_request, response) => {
				response.writeHead(200, { "content-type": compactType });
				response.end(bytes);
			});
			await expect(transport.push("{}")).rejects.toMatchObject({
				code: "unreachable",
			});
		});
	});

	describe("reachability", () => {
		test.each([
			[true, json(200, { ok: true })],
			[false, json(503, { ok: false })],
			[false, json(200, {})],
			[false, json(200, null)],
			[false, json(200, { ok: "yes" })],
			[false, json(203, { ok: true })],
			[false, html],
			[false, ((request) => request.socket.destroy()) as RequestListener],
		])(
			"reachability is %s for its answer [SYNC-5]",
			async (expected, listener) => {
				const transport = await listen(listener);
				expect(await transport.isReachable()).toBe(expected);
			},
		);

		test("reachability fails if the token can't be read", async () => {
			const transport = await listen(json(200, { ok: true }), 5_000, () => {
				throw new Error("No keychain");
			});
			await expect(transport.isReachable()).rejects.toThrow("No keychain");
		});
	});

	test("a pull, a digest, its blocks and a stream name their business", async () => {
		const seen: unknown[] = [];
		const transport = await listen((request, response) => {
			const url = new URL(request.url ?? "", "http://here");
			seen.push(Object.fromEntries(url.searchParams));
			json(401, { error: "Unauthorized" })(request, response);
		});
		const { signal } = new AbortController();
		const businessId = "shop-1";
		for (const call of [
			() => transport.pull("e.1", 5),
			() => transport.digest(),
			() => transport.blocks(),
			() => transport.blockRows(3),
			() => transport.watch(() => {}, signal),
		])
			await expect(call()).rejects.toMatchObject({ code: "unauthorized" });
		expect(seen).toEqual([
			{ businessId, cursor: "e.1", limit: "5" },
			{ businessId, digest: "1" },
			{ businessId, digest: "blocks" },
			{ businessId, digest: "rows", block: "3" },
			{ businessId },
		]);
	});

	describe("a watch", () => {
		test("a watch requests an uncompressed stream, and accepts one with a charset", async () => {
			const seen: unknown[] = [];
			const transport = await listen((request, response) => {
				seen.push(askedFor(request));
				response.writeHead(200, {
					"content-type": "text/event-stream; charset=utf-8",
				});
				response.end(`${head("e.1").replace("data: ", "data:")}\n`);
			});
			const heard: string[] = [];
			const { signal } = new AbortController();
			await transport.watch((cursor) => heard.push(cursor), signal);
			expect(heard).toEqual(["e.1"]);
			expect(seen).toEqual([
				{
					accept: "text/event-stream",
					"accept-encoding": "identity",
					authorization: "Bearer secret-token",
					"cache-control": "no-cache",
				},
			]);
		});

		test("a watch that is refused fails", async () => {
			const transport = await listen((_request, response) => {
				response.writeHead(503, { "content-type": "text/event-stream" });
				response.end(`${head("e.1")}\n`);
			});
			const { signal } = new AbortController();
			const heard: string[] = [];
			await expect(
				transport.watch((cursor) => heard.push(cursor), signal),
			).rejects.toMatchObject({ code: "unreachable" });
			expect(heard).toEqual([]);
		});

		test("a watch ends when its signal aborts", async () => {
			const transport = await listen((_request, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.write(": hi\n\n");
			});
			const ending = new AbortController();
			const watched = transport.watch(() => {}, ending.signal);
			ending.abort();
			await expect(watched).rejects.toThrow();
		});

		test("a watch reports each event, however its bytes are split, and ends with the stream", async () => {
			const transport = await listen(async (_request, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				for (const part of [
					": hi\n\nevent: head\nda",
					head("e.1").slice(2),
					`\n${head("e.2")}\n`,
				]) {
					response.write(part);
					await new Promise((resolve) => setTimeout(resolve, 10));
				}
				response.end();
			});
			const heard: string[] = [];
			await transport.watch(
				(cursor) => heard.push(cursor),
				new AbortController().signal,
			);
			expect(heard).toEqual(["e.1", "e.2"]);
		});

		test.each<[string, RequestListener]>([
			["is never answered", () => {}],
			[
				"falls silent, as after an unnoticed disconnection",
				(_request, response) => {
					response.writeHead(200, { "content-type": "text/event-stream" });
					response.write(": hi\n\n");
				},
			],
		])("a watch ends if it %s [SYNC-7]", async (_, listener) => {
			const transport = await listen(listener, 100);
			await expect(
				transport.watch(() => {}, new AbortController().signal),
			).rejects.toThrow();
		});

		test("a watch goes on as long as data arrives", async () => {
			const transport = await listen(async (_request, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				for (let i = 0; i < 40; i += 1) {
					response.write(": beat\n\n");
					await new Promise((resolve) => setTimeout(resolve, 50));
				}
				response.end(`${head("e.1")}\n`);
				// Shorter than all beats together, and longer than a busy machine stands still.
			}, 1_500);
			const heard: string[] = [];
			await transport.watch(
				(cursor) => heard.push(cursor),
				new AbortController().signal,
			);
			expect(heard).toEqual(["e.1"]);
		});

		test.each([
			["wrong_business", head("e.1", "shop-2")],
			["unreachable", "data: e.1\n"],
			["unreachable", "data: {}\n"],
		])("a watch fails with %s at %j", async (code, event) => {
			const transport = await listen((_request, response) => {
				response.writeHead(200, { "content-type": "text/event-stream" });
				response.write(`${event}\n`);
			});
			const heard: string[] = [];
			await expect(
				transport.watch(
					(cursor) => heard.push(cursor),
					new AbortController().signal,
				),
			).rejects.toMatchObject({ code });
			expect(heard).toEqual([]);
		});

		test("a watch fails if anything else than a stream answers", async () => {
			const transport = await listen(html);
			await expect(
				transport.watch(() => {}, new AbortController().signal),
			).rejects.toMatchObject({ code: "unreachable" });
		});
	});
});

test("a connection may be silent for 60 seconds by default [SYNC-7]", async () => {
	const silences: number[] = [];
	const transport = openTransport(
		async (_url, { timeout }) => {
			silences.push(timeout);
			throw new Error("Down");
		},
		{ baseUrl: "http://shop.example", businessId: "shop-1", token: () => "t" },
	);
	await expect(transport.pull("", 1)).rejects.toThrow();
	expect(silences).toEqual([60_000]);
});

test("an opaque answer in a browser, such as a redirect, counts as unreachable [SYNC-6]", async () => {
	const transport = openTransport(
		async () => ({
			status: 0,
			header: () => undefined,
			readBytes: async () => Buffer.from(JSON.stringify(answer)),
			async *lines() {},
		}),
		{ baseUrl: "http://shop.example", businessId: "shop-1", token: () => "t" },
	);
	await expect(transport.push("{}")).rejects.toMatchObject({
		code: "unreachable",
	});
});

test("lines are complete, wherever their bytes are split", async () => {
	const bytes = Buffer.from("Chai ☕\n\nMaziwa\nrest");
	async function* cut() {
		for (const byte of bytes) yield Uint8Array.of(byte);
	}
	const lines: string[] = [];
	for await (const line of linesOf(cut())) lines.push(line);
	expect(lines).toEqual(["Chai ☕", "", "Maziwa"]);
});
