import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import {
	compactMax,
	compactType,
	fromCompact,
	toCompact,
} from "../../sync/protocol/compact.ts";
import { openDatabase } from "../operations/database.ts";
import {
	expectScenario,
	inFile,
	type Scenario,
	twoShops,
} from "../testing/server.ts";

const path = "/api/sync";
const rename = (name: string) => ({ id: "milk", set: { name } });
const at = "2026-11-20T08:00:00.000Z";
const required = { error: "mutations array required" };

function category(id: string) {
	return { id: `m-${id}`, name: "category.create", at, args: { id, name: id } };
}

const scenarios: Scenario[] = [
	{
		what: "requires credentials to push [AUTH-1]",
		as: "nobody",
		method: "POST",
		path,
		body: { mutations: [] },
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "requires credentials to pull",
		as: "nobody",
		method: "GET",
		path,
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "requires mutations [PUSH-1]",
		method: "POST",
		path,
		body: {},
		status: 400,
		exactly: required,
	},
	{
		what: "requires mutations to be an array [PUSH-1]",
		method: "POST",
		path,
		body: { mutations: "all" },
		status: 400,
		exactly: required,
	},
	{
		what: "requires the body to be an object",
		method: "POST",
		path,
		body: "[]",
		status: 400,
		exactly: required,
	},
	{
		what: "treats an empty push as a pull [PUSH-1] [CUR-2]",
		method: "POST",
		path,
		body: { mutations: [], cursor: "" },
		status: 200,
		answer: {
			results: [],
			hasMore: false,
			changes: [
				{ entity: "business" },
				{ entity: "product" },
				{ entity: "stockMovement" },
			],
		},
	},
	{
		what: "answers without a page if no cursor was sent",
		method: "POST",
		path,
		body: { mutations: [] },
		status: 200,
		exactly: {
			results: [],
			businessId: expect.any(String),
			epoch: expect.any(String),
			serverNow: expect.any(String),
			backedUpTo: 0,
			feed: 2,
		},
	},
	{
		what: "applies, rejects and defers each mutation separately",
		method: "POST",
		path,
		body: {
			mutations: [
				category("a"),
				{ ...category("b"), args: {} },
				{ ...category("c"), name: "none.such" },
				7,
			],
		},
		status: 200,
		answer: {
			results: [
				{ id: "m-a", status: "applied", version: 3 },
				{
					id: "m-b",
					status: "rejected",
					error: { code: "invalid_args", field: "id" },
				},
				{ status: "deferred", error: { code: "unknown_mutation" } },
				{ status: "rejected" },
			],
		},
	},
	{
		what: "names an invalid device id",
		method: "POST",
		path,
		body: { mutations: [], deviceId: "x".repeat(65) },
		status: 400,
		answer: { error: expect.stringContaining("deviceId") },
	},
	{
		what: "names a program that no database can store",
		method: "POST",
		path,
		body: { mutations: [], deviceId: "till", program: "1.0\0" },
		status: 400,
		answer: { error: expect.stringContaining("program") },
	},
	{
		what: "names an invalid limit",
		method: "POST",
		path,
		body: { mutations: [], cursor: "", limit: "many" },
		status: 400,
		answer: { error: expect.stringContaining("limit") },
	},
	{
		what: "refuses a body that is not JSON",
		method: "POST",
		path,
		body: '{"mutations":[',
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "refuses a body that is not UTF-8",
		method: "POST",
		path,
		body: new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "refuses a compact body that is none",
		method: "POST",
		path,
		headers: { "content-type": compactType },
		body: '{"mutations":[]}',
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "refuses a compact body that is longer than any",
		method: "POST",
		path,
		headers: { "content-type": compactType },
		body: "x".repeat(compactMax + 1),
		status: 413,
		exactly: { error: `The body must be at most ${compactMax} bytes` },
	},
	{
		what: "requires mutations in a body in gzip, too [PUSH-1] [COMPACT-4]",
		method: "POST",
		path,
		headers: { "content-encoding": "gzip" },
		body: gzipSync('{"mutations":"all"}'),
		status: 400,
		exactly: required,
	},
	{
		what: "refuses a body that is said to be in gzip and isn't",
		method: "POST",
		path,
		headers: { "content-encoding": "gzip" },
		body: '{"mutations":[]}',
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "refuses a body in gzip that ends too early",
		method: "POST",
		path,
		headers: { "content-encoding": "gzip" },
		body: gzipSync('{"mutations":[]}').subarray(0, -9),
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "requires mutations in a compact body, too [PUSH-1]",
		method: "POST",
		path,
		headers: { "content-type": compactType },
		body: toCompact('{"mutations":"all"}'),
		status: 400,
		exactly: required,
	},
	{
		what: "answers in JSON without being asked for the compact form [COMPACT-2]",
		method: "POST",
		path,
		headers: { "content-type": compactType, accept: "application/json" },
		body: toCompact('{"mutations":[]}'),
		status: 200,
		answer: { results: [], feed: 2 },
	},
	{
		what: "refuses 400,000 levels of nesting",
		method: "POST",
		path,
		body: `{"mutations":${"[".repeat(400_000)}${"]".repeat(400_000)}}`,
		status: 400,
		exactly: { error: "Invalid request body" },
	},
	{
		what: "rejects another business's product",
		method: "POST",
		path,
		body: {
			mutations: [
				{
					id: "m",
					name: "product.update",
					at,
					args: { id: "canary", set: { name: "Mine" } },
				},
			],
		},
		status: 200,
		answer: { results: [{ error: { code: "not_found", field: "id" } }] },
	},
	{
		what: "resets the feed for an invalid cursor",
		method: "GET",
		path: `${path}?cursor=nonsense`,
		status: 200,
		answer: { reset: true },
	},
	{
		what: "uses the default for an invalid limit",
		method: "GET",
		path: `${path}?limit=abc`,
		status: 200,
		answer: { hasMore: false },
	},
	{
		what: "answers a client that accepts neither JSON nor a stream",
		method: "GET",
		path,
		headers: { accept: "text/html" },
		status: 200,
		answer: { hasMore: false },
	},
	{
		what: "pages",
		method: "GET",
		path: `${path}?limit=1`,
		status: 200,
		answer: { hasMore: true, changes: [{ entity: "business" }] },
	},
	{
		what: "returns the digest",
		method: "GET",
		path: `${path}?digest=1`,
		status: 200,
		answer: {
			digest: expect.stringMatching(/^[0-9a-f]{64}$/),
			cursor: expect.any(String),
			epoch: expect.any(String),
		},
	},
	{
		what: "returns the digest with its blocks",
		method: "GET",
		path: `${path}?digest=blocks`,
		status: 200,
		answer: {
			digest: expect.stringMatching(/^[0-9a-f]{64}$/),
			blocks: ["0".repeat(64), expect.stringMatching(/^[0-9a-f]{64}$/)],
			stock: expect.stringMatching(/^[0-9a-f]{64}$/),
			cursor: expect.any(String),
			epoch: expect.any(String),
		},
	},
	{
		what: "returns the rows of a block",
		method: "GET",
		path: `${path}?digest=rows&block=1`,
		status: 200,
		answer: {
			changes: expect.arrayContaining([
				expect.objectContaining({ entity: "business" }),
			]),
			feed: 2,
		},
	},
	{
		what: "returns no rows of a block that is not there",
		method: "GET",
		path: `${path}?digest=rows&block=${Number.MAX_SAFE_INTEGER}`,
		status: 200,
		answer: { changes: [], feed: 2 },
	},
	{
		what: "is not allowed",
		method: "PUT",
		path,
		body: {},
		status: 405,
		exactly: { error: "Method not allowed" },
	},
];

/** Pulls from the start with these headers. */
async function pullWith(headers: Record<string, string>, query = "") {
	const { server, asha } = await twoShops();
	const answer = await fetch(new URL(`${path}${query}`, server.url), {
		headers: { authorization: asha.bearer, ...headers },
	});
	const bytes = new Uint8Array(await answer.arrayBuffer());
	const header = (name: string) => answer.headers.get(name);
	return { status: answer.status, header, bytes };
}

describe("the compact form of /api/sync", () => {
	const accept = `${compactType}, application/json`;

	test("a client that names the form gets a short answer in it, and hears that it may push in it [COMPACT-2]", async () => {
		const { header, bytes } = await pullWith({ accept }, "?limit=1");
		expect(header("content-type")).toBe(compactType);
		expect(header("accept-post")).toBe(compactType);
		expect(header("content-encoding")).toBeNull();
		expect(header("vary")?.toLowerCase()).toContain("accept,");
		expect(JSON.parse(fromCompact(bytes))).toMatchObject({
			changes: [{ entity: "business" }],
			hasMore: true,
		});
	});

	test("a client that does not name the form gets plain JSON [COMPACT-2]", async () => {
		const { header, bytes } = await pullWith({}, "?limit=1");
		expect(header("content-type")).toMatch("application/json");
		expect(header("accept-post")).toBeNull();
		expect(JSON.parse(`${Buffer.from(bytes)}`)).toMatchObject({
			changes: [{ entity: "business" }],
		});
	});

	test("an answer that gzip makes shorter is JSON in gzip [COMPACT-2]", async () => {
		const { server, asha } = await twoShops();
		const mutations = ["a", "b", "c", "d", "e", "f"].map(category);
		await server.ask("POST", path, { as: asha, body: { mutations } });
		const answer = await fetch(new URL(path, server.url), {
			headers: { authorization: asha.bearer, accept },
		});
		expect(answer.headers.get("content-type")).toMatch("application/json");
		expect(answer.headers.get("content-encoding")).toBe("gzip");
		expect(answer.headers.get("accept-post")).toBe(compactType);
		expect(await answer.json()).toMatchObject({ hasMore: false });
	});

	test("a compact push is applied once, as the same push in JSON is [COMPACT-1] [PUSH-3]", async () => {
		const { server, asha } = await twoShops();
		const body = JSON.stringify({ mutations: [category("a")] });
		const headers = { "content-type": compactType };
		const first = await server.ask("POST", path, {
			...{ as: asha, headers, body: toCompact(body) },
		});
		expect(first.body).toMatchObject({
			results: [{ id: "m-a", status: "applied" }],
		});
		const again = await server.ask("POST", path, { as: asha, body });
		expect(again.body).toMatchObject({
			results: [{ id: "m-a", status: "applied", duplicate: true }],
		});
	});
});

describe("/api/sync", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("a push of 1,000 mutations is applied, a larger one is refused whole [PUSH-2]", async () => {
		const { server, asha } = await twoShops();
		const all = Array.from({ length: 1_001 }, (_, i) => category(`c${i}`));
		const more = await server.ask("POST", path, {
			as: asha,
			body: { mutations: all },
		});
		expect(more).toMatchObject({
			status: 413,
			body: { error: "At most 1000 mutations at once" },
		});
		expect(await server.rows("SELECT id FROM categories")).toEqual([]);
		const fits = await server.ask("POST", path, {
			as: asha,
			body: { mutations: all.slice(1) },
		});
		expect(fits.status).toBe(200);
		expect(await server.rows("SELECT id FROM categories")).toHaveLength(1_000);
	});

	test("a push of 5 MB is applied, a larger one is refused in any encoding [PUSH-2]", async () => {
		const { server, asha } = await twoShops();
		const body = (bytes: number) => {
			const frame = JSON.stringify({ mutations: [category("a")], pad: "" });
			return frame.replace(
				'"pad":""',
				`"pad":"${"x".repeat(bytes - frame.length)}"`,
			);
		};
		const over = {
			status: 413,
			body: { error: "The body must be at most 5000000 bytes" },
		};
		expect(
			await server.ask("POST", path, { as: asha, body: body(5_000_001) }),
		).toMatchObject(over);
		expect(
			await server.ask("POST", path, { as: asha, body: body(20_000_000) }),
		).toMatchObject(over);
		const packed = { "content-encoding": "gzip" };
		expect(
			await server.ask("POST", path, {
				...{ as: asha, headers: packed, body: gzipSync(body(5_000_001)) },
			}),
		).toMatchObject(over);
		const chunked = await fetch(new URL(path, server.url), {
			method: "POST",
			headers: { authorization: asha.bearer },
			body: new Blob([body(9_000_000)]).stream(),
			duplex: "half",
		} as RequestInit);
		expect([chunked.status, await chunked.json()]).toEqual([413, over.body]);
		expect(await server.rows("SELECT id FROM categories")).toEqual([]);
		expect(
			await server.ask("POST", path, {
				...{ as: asha, headers: packed, body: gzipSync(body(5_000_000)) },
			}),
		).toMatchObject({ status: 200, body: { results: [{ id: "m-a" }] } });
		expect(
			(await server.ask("POST", path, { as: asha, body: body(5_000_000) }))
				.status,
		).toBe(200);
	});

	test("the server keeps working after a client disconnects during a push", async () => {
		const { server, asha } = await twoShops();
		for (let i = 0; i < 5; i += 1)
			await new Promise<void>((resolve) => {
				const headers = {
					authorization: asha.bearer,
					"content-length": "1000",
				};
				const cut = request(new URL(path, server.url), {
					method: "POST",
					headers,
				});
				cut.on("error", () => resolve());
				cut.write('{"mutations":[');
				setTimeout(() => cut.destroy(), 20);
			});
		expect((await server.ask("GET", "/healthz")).body).toEqual({ ok: true });
	});

	test("a push on a full disk is answered with 507 and applies nothing, and succeeds once there is room [PUSH-12]", async () => {
		const { server, asha } = await twoShops(inFile);
		const limit = (pages: number) =>
			server.shop.store.write((tx) =>
				tx.get(`PRAGMA max_page_count = ${pages}`),
			);
		await limit(1);
		const mutations = Array.from({ length: 400 }, (_, i) => category(`c${i}`));
		const full = await server.ask("POST", path, {
			as: asha,
			body: { mutations },
		});
		expect(full).toMatchObject({
			status: 507,
			body: { error: "The disk is full" },
		});
		expect(full.headers.get("retry-after")).toBe("10");
		expect(await server.rows("SELECT id FROM categories")).toEqual([]);
		await limit(1_000_000);
		const again = await server.ask("POST", path, {
			as: asha,
			body: { mutations },
		});
		expect(
			(again.body as { results: { status: string }[] }).results.every(
				({ status }) => status === "applied",
			),
		).toBe(true);
	});
});

test("a second process can write to the database of a running server", async () => {
	const { server, asha } = await twoShops();
	const other = await openDatabase(server.settings, { canMigrate: false });
	onTestFinished(() => other.close());
	await Promise.all([
		...Array.from({ length: 20 }, (_, i) =>
			other.write((tx) =>
				tx.run("INSERT INTO meta (key, value) VALUES (?, '')", `other-${i}`),
			),
		),
		...Array.from({ length: 20 }, (_, i) =>
			server.shop.mutate(asha.caller, productUpdate, rename(`Milk ${i}`)),
		),
	]);
	expect(
		await server.rows("SELECT key FROM meta WHERE key LIKE 'other-%'"),
	).toHaveLength(20);
});
