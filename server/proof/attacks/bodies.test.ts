import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isProof } from "../../../sync/testing/lane.ts";
import { mountedOperations } from "../../testing/operations.ts";
import { openTestServer, twoShops } from "../../testing/server.ts";
import { rawRequest, sendRaw } from "./testing/raw-request.ts";

const invalid = { error: "Invalid request body" };
const path = "/api/categories";
const json = { "content-type": "application/json" };

interface Row {
	what: string;
	body: string | Uint8Array;
	headers?: Record<string, string>;
	path?: string;
	status: number;
	answer: object;
}

const bomb = Buffer.alloc(isProof ? 100_000_000 : 20_000_000, " ");
const keys = Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join();
const deep = (levels: number, inside = "") =>
	`{"name":${"[".repeat(levels)}${inside}${"]".repeat(levels)}}`;

const bodies: Row[] = [
	{
		what: "one byte too many",
		body: `{"name":"${"a".repeat(1_000_000 - 10)}"}`,
		status: 413,
		answer: { error: "The body must be at most 1000000 bytes" },
	},
	{
		what: "megabytes in gzip, which are not unpacked",
		body: gzipSync(bomb, { level: 1 }),
		headers: { ...json, "content-encoding": "gzip" },
		status: 400,
		answer: invalid,
	},
	{
		what: "megabytes in brotli",
		body: brotliCompressSync(bomb, { params: { 0: 1, 1: 1 } }),
		headers: { ...json, "content-encoding": "br" },
		status: 400,
		answer: invalid,
	},
	{
		what: "four hundred thousand levels",
		body: deep(400_000),
		status: 400,
		answer: invalid,
	},
	{
		what: "as many levels that are never closed",
		body: '{"name":'.repeat(100_000),
		status: 400,
		answer: invalid,
	},
	{
		what: "levels in a list to sync",
		path: "/api/sync",
		body: `{"mutations":${deep(100)}}`,
		status: 400,
		answer: invalid,
	},
	{
		what: "a hundred thousand keys",
		body: `{${keys},"name":"Many"}`,
		status: 413,
		answer: { error: "The body must be at most 1000000 bytes" },
	},
	{
		what: "as many as there is room for",
		body: `{${keys.slice(0, 900_000).replace(/,[^,]*$/, "")},"name":"Many"}`,
		status: 201,
		answer: { name: "Many" },
	},
	{
		what: "a key twice: the last one counts, for everyone",
		body: '{"name":"First","name":"Last"}',
		status: 201,
		answer: { name: "Last" },
	},
	{
		what: "the key of every object's prototype",
		body: '{"__proto__":{"name":"Inherited"}}',
		status: 400,
		answer: { error: "name required" },
	},
	{
		what: "the constructor of every object",
		body: '{"name":"Made","constructor":{"prototype":{"polluted":1}}}',
		status: 201,
		answer: { name: "Made" },
	},
	{
		what: "another charset",
		body: Buffer.from('{"name":"Chai"}', "utf16le"),
		headers: { "content-type": "application/json; charset=utf-16" },
		status: 400,
		answer: invalid,
	},
	{
		what: "Latin letters that are no UTF-8",
		body: Buffer.from('{"name":"Café"}', "latin1"),
		headers: { "content-type": "application/json; charset=iso-8859-1" },
		status: 400,
		answer: invalid,
	},
	{
		what: "no type at all",
		body: Buffer.from('{"name":"Typeless"}'),
		headers: { "content-type": "" },
		status: 201,
		answer: { name: "Typeless" },
	},
	{
		what: "a form where none is taken",
		body: "name=Form",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		status: 400,
		answer: invalid,
	},
	{
		what: "a file in parts where none is taken",
		body: '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nPart\r\n--x--',
		headers: { "content-type": "multipart/form-data; boundary=x" },
		status: 400,
		answer: invalid,
	},
	{ what: "two values", body: '{"name":"a"}{}', status: 400, answer: invalid },
	{
		what: "words that JSON has not",
		body: '{"name":"a","sortOrder":NaN}',
		status: 400,
		answer: invalid,
	},
	{
		what: "an entity of XML",
		body: '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><name>&e;</name>',
		headers: { "content-type": "application/xml" },
		status: 400,
		answer: invalid,
	},
];

describe("a body", () => {
	test("a hostile body is refused with a short message and costs no memory", async () => {
		const { server, asha } = await twoShops();
		const before = process.memoryUsage.rss();
		for (const {
			what,
			body,
			headers = json,
			status,
			answer,
			...row
		} of bodies) {
			const told = await server.ask("POST", row.path ?? path, {
				as: asha,
				headers,
				body,
			});
			expect({ what, status: told.status, body: told.body }).toMatchObject({
				what,
				status,
				body: answer,
			});
			if (status >= 400) expect(told.text.length).toBeLessThan(500);
		}
		// The bodies are in this process too; unpacked, they would need more.
		expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
		expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
		expect(Object.hasOwn(Object.prototype, "name")).toBe(false);
		expect(server.logged()).not.toContain('"level":50');
	});

	test("a body over every limit is not read before its sender is authenticated", async () => {
		const server = await openTestServer();
		const open = ["/login", "/logout", "/api/setup", "/api/auth"];
		const operations = mountedOperations(server).filter(
			(it) => !it.startsWith("GET "),
		);
		expect(operations.length).toBeGreaterThan(25);
		for (const operation of operations) {
			const [method, route = ""] = operation.split(" ");
			if (route === "/logout" || route === "/api/setup/demo") continue;
			const { status } = await sendRaw(
				server,
				rawRequest(`${method} ${route.replace(":id", "x")}`, {
					"Content-Length": "99999999999",
				}),
			);
			const isOpen = open.some((path) => route.startsWith(path));
			expect(`${operation} ${status}`).toBe(
				`${operation} ${isOpen ? 413 : 401}`,
			);
		}
	});

	test("an endless chunked body is refused at the size limit and cut off after a while", async () => {
		const { server, asha } = await twoShops();
		const head = rawRequest(`POST ${path}`, {
			Authorization: asha.bearer,
			"Transfer-Encoding": "chunked",
		});
		const chunk = Buffer.from(`ffff\r\n${"a".repeat(0xffff)}\r\n`);
		const answer = await sendRaw(server, head, ...Array(1_100).fill(chunk));
		expect(answer).toMatchObject({
			status: 413,
			answers: 1,
			body: { error: "The body must be at most 1000000 bytes" },
		});
		expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
	});
});
