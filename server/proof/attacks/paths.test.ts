import { describe, expect, test } from "vitest";
import { openTestServer, twoShops } from "../../testing/server.ts";
import { rawRequest, sendRaw } from "./testing/raw-request.ts";

const error = { error: expect.any(String) };
/** Texts of files that a path traversal would reveal. */
const stolen = ["root:", 'counterfoil",', "SQLite format", "devDependencies"];

/** Paths sent raw by a signed-in user, without a client's normalization. */
const paths: [string, number][] = [
	["/api/pictures/..%2f..%2fauth-secret", 404],
	["/api/pictures/..%5c..%5cauth-secret", 404],
	["/api/pictures/%2e%2e%2f%2e%2e%2fcounterfoil.db", 404],
	["/api/pictures/../../auth-secret", 404],
	["/api/pictures/%00", 404],
	["/api/pictures/0123456789abcdef0123456789abcdef.jpg%00.png", 404],
	["/api/pictures/%E0%A4%A", 400],
	["/api/products/%", 400],
	["/api/products/%FF", 400],
	["/api/products/%00", 404],
	["/api/products/..%2fcategories", 404],
	["/api/receipts/%00?format=html", 404],
	["/assets/..%2f..%2f..%2fpackage.json", 404],
	["/assets/..%5c..%5c..%5cpackage.json", 404],
	["/assets/../../../package.json", 404],
	["/assets/%2e%2e/%2e%2e/%2e%2e/package.json", 404],
	["/assets/....//....//package.json", 404],
	["/assets//etc/passwd", 404],
	["/assets/%2fetc%2fpasswd", 404],
	["/assets/%00", 404],
	["/assets/%E0%A4%A", 404],
	["/..%2f..%2fpackage.json", 404],
	["/%2e%2e/%2e%2e/etc/passwd", 404],
	["/.git/config", 404],
	["//example.com/%2e%2e", 404],
	["/\\example.com", 404],
	["/api//products", 404],
	["/API/Products/../../healthz", 404],
	[`/assets/${"a".repeat(8_000)}`, 404],
	[`/api/pictures/${"a".repeat(8_000)}.jpg`, 404],
];

describe("a path", () => {
	test("no path escapes the server's own files", async () => {
		const { server, asha } = await twoShops();
		for (const [path, status] of paths) {
			const answer = await sendRaw(
				server,
				rawRequest(`GET ${path}`, { Authorization: asha.bearer }),
			);
			expect([path, answer.status, answer.body]).toEqual([path, status, error]);
			expect(answer.answers).toBe(1);
			for (const word of stolen) expect(answer.text).not.toContain(word);
			expect(answer.text).not.toMatch(/^location:/im);
		}
	});

	test("a browser gets at most the app's page at any path", async () => {
		const server = await openTestServer();
		for (const [path] of paths.filter(([path]) => !path.startsWith("/api/"))) {
			const answer = await sendRaw(
				server,
				rawRequest(`GET ${path}`, { Accept: "text/html" }),
			);
			expect([path, answer.status]).toEqual([
				path,
				expect.toBeOneOf([200, 400, 404]),
			]);
			for (const word of stolen) expect(answer.text).not.toContain(word);
			expect(answer.text).not.toMatch(/^location:/im);
		}
	});
});

const methods: [string, Record<string, string>, number][] = [
	["TRACE /api/products", {}, 405],
	["TRACE /", {}, 404],
	["PUT /api/products/milk", {}, 405],
	["BREW /api/products", {}, 400],
	["get /api/products", {}, 400],
	// Override headers have no effect.
	["GET /api/products/milk", { "X-HTTP-Method-Override": "DELETE" }, 200],
	["GET /api/products/milk", { "X-HTTP-Method": "DELETE" }, 200],
	["GET /api/products/milk?_method=DELETE", {}, 200],
];

test("headers and fields can't override the method", async () => {
	const { server, asha } = await twoShops();
	const before = await server.shop.blocks(asha.caller);
	for (const [line, headers, status] of methods) {
		const answer = await sendRaw(
			server,
			rawRequest(line, { ...headers, Authorization: asha.bearer }),
		);
		expect([line, answer.status]).toEqual([line, status]);
		if (status < 400) continue;
		expect(answer.body).toEqual(error);
		// A TRACE that echoed the token would reveal it to scripts.
		expect(answer.text).not.toContain(asha.bearer);
	}
	expect(await server.shop.blocks(asha.caller)).toEqual(before);
});

test("headers and URLs that are too long are refused in JSON, and the server keeps running", async () => {
	const server = await openTestServer();
	for (const [request, status] of [
		[rawRequest("GET /healthz", { "X-Long": "a".repeat(60_000) }), 431],
		[rawRequest(`GET /${"a".repeat(60_000)}`), 431],
		[
			rawRequest(
				"GET /healthz",
				Object.fromEntries(
					Array.from({ length: 5_000 }, (_, i) => [`X-${i}`, "a"]),
				),
			),
			431,
		],
		[rawRequest("GET /healthz", { "X-Bad": "a\u0000b" }), 400],
		[rawRequest("GET /healthz", { "X Bad": "a" }), 400],
		["GET /healthz\r\n\r\n", 400],
		["nonsense\r\n\r\n", 400],
		["\u0016\u0003\u0001\u0002 a TLS hello", 400],
	] as const) {
		const answer = await sendRaw(server, request);
		expect([request.slice(0, 40), answer.status, answer.body]).toEqual([
			request.slice(0, 40),
			status,
			error,
		]);
		expect(answer.answers).toBe(1);
	}
	expect(await server.ask("GET", "/healthz")).toMatchObject({ status: 200 });
});
