import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { sampled } from "../../../sync/testing/lane.ts";
import { fill } from "../../testing/operations.ts";
import { openTestServer } from "../../testing/server.ts";
import { compareQuickly, targets } from "./testing/attacks.ts";

/** The protective headers, by name. */
const protecting =
	/^(cache-control|content-security-policy|cross-origin-.*|origin-agent-cluster|permissions-policy|referrer-policy|strict-transport-security|server|x-(?!request-id|gateway|ratelimit|error).*)$/;

const page = {
	"content-security-policy":
		"default-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';img-src 'self' data:;object-src 'none';script-src 'self' 'wasm-unsafe-eval';script-src-attr 'none';style-src 'self' 'nonce-…';style-src-attr 'unsafe-inline'",
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"origin-agent-cluster": "?1",
	"permissions-policy":
		"accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), midi=(), payment=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()",
	"referrer-policy": "same-origin",
	"x-content-type-options": "nosniff",
	"x-dns-prefetch-control": "off",
	"x-download-options": "noopen",
	"x-frame-options": "DENY",
	"x-permitted-cross-domain-policies": "none",
	"x-xss-protection": "0",
};
const api = { ...page, "cache-control": "no-store" };
const program = {
	"cache-control": "no-store",
	"x-content-type-options": "nosniff",
};

/** Operations whose answers may be cached or have further headers, with these. */
const kept: Record<string, object> = {
	"GET /r/:id": { "x-robots-tag": "noindex" },
	"GET /api/releases": {
		"cache-control": "s-maxage=300, stale-while-revalidate=60",
	},
	"GET /api/latest-release": {
		"cache-control": "s-maxage=300, stale-while-revalidate=60",
	},
};

function protection(headers: Headers) {
	return Object.fromEntries(
		[...headers]
			.filter(([name]) => protecting.test(name))
			.map(([name, value]) => [
				name,
				value.replace(/'nonce-[\w+/]{22}=='/, "'nonce-…'"),
			]),
	);
}

test("every answer has the protective headers, whatever its status, and Strict-Transport-Security over HTTPS", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	compareQuickly("right");
	const https = { "x-forwarded-proto": "https" };
	for (const { name, method, path, body, access } of sampled(
		targets(server),
		6,
	)) {
		const own = access === "member" || access === "gateway";
		const headers: Record<string, string> = own
			? { authorization: asha.bearer }
			: { cookie: asha.cookie };
		const expected = path.startsWith("/v1/")
			? program
			: /^\/(api\/|healthz|readyz|metrics|r\/)/.test(path)
				? { ...api, ...kept[name] }
				: page;
		for (const [what, answer] of [
			["done", await server.ask(method, path, { body, headers })],
			["to nobody", await server.ask(method, path, { body })],
			["of another method", await server.ask("PUT", path)],
		] as const) {
			const isKept = kept[name] && what !== "of another method";
			expect({ name, what, ...protection(answer.headers) }).toEqual({
				name,
				what,
				...expected,
				...(kept[name] && !isKept ? { "cache-control": "no-store" } : {}),
			});
		}
		const secure = await server.ask("PUT", path, { headers: https });
		expect(secure.headers.get("strict-transport-security")).toBe(
			"max-age=31536000",
		);
	}
});

test("answers of other paths have the protective headers of their kind", async () => {
	const server = await openTestServer();
	const fresh = { ...page, "cache-control": "no-cache" };
	for (const [method, path, accept, expected] of [
		["GET", "/", "*/*", fresh],
		["GET", "/products/7?x=<script>", "text/html", fresh],
		[
			"GET",
			"/icon.svg",
			"*/*",
			{ ...page, "cache-control": "public, max-age=0" },
		],
		["GET", "/nothing.js", "*/*", page],
		["POST", "/nothing", "*/*", page],
		["GET", "/api/nothing", "*/*", api],
		["GET", "/api/products/%E0%A4%A", "*/*", api],
		["GET", "/v1/nothing", "*/*", api],
	] as const) {
		const { headers } = await server.ask(method, path, { headers: { accept } });
		expect({ path, ...protection(headers) }).toEqual({ path, ...expected });
	}
});

const elsewhere = Object.values(networkInterfaces())
	.flat()
	.find((one) => one?.family === "IPv4" && !one.internal)?.address;

test.skipIf(elsewhere === undefined)(
	"of another machine it is not believed that it came by https, from where, or under which name (skipped without a network)",
	async () => {
		const server = await openTestServer({ HOST: "0.0.0.0" });
		compareQuickly("right");
		const ask = (host: string, from: string) =>
			fetch(`http://${host}:${server.port}/login`, {
				method: "POST",
				body: JSON.stringify({ email: "njeri@example.com", password: "x" }),
				headers: {
					"x-request-id": "named-by-someone",
					"x-forwarded-proto": "https",
					"x-forwarded-for": from,
				},
			});
		const near = await ask("127.0.0.1", "203.0.113.1");
		expect(near.headers.get("x-request-id")).toBe("named-by-someone");
		expect(near.headers.get("strict-transport-security")).not.toBeNull();
		const statuses = [];
		for (let i = 0; i < 21; i += 1) {
			const far = await ask(elsewhere as string, `203.0.113.${i}`);
			expect(far.headers.get("x-request-id")).toMatch(uuid);
			expect(far.headers.get("strict-transport-security")).toBeNull();
			statuses.push(far.status);
		}
		expect(statuses.filter((status) => status === 401)).toHaveLength(19);
	},
);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("each answer has a request id, from a trusted proxy if valid, or else a new one", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const paths = [
		"/",
		"/healthz",
		"/api/nothing",
		"/api/products",
		"/v1/models",
	];
	const seen = new Set<string>();
	for (const path of paths)
		for (const given of [
			"",
			"short",
			"with space here",
			"a".repeat(129),
			"<b>12345</b>",
			"naïve-naïve-naïve",
		]) {
			const { headers } = await server.ask("GET", path, {
				as: asha,
				headers: { "x-request-id": given },
			});
			const id = headers.get("x-request-id") ?? "";
			expect(id).toMatch(uuid);
			seen.add(id);
		}
	expect(seen.size).toBe(paths.length * 6);
	for (const given of ["trace-01.A:b_c", randomUUID(), "a".repeat(128)]) {
		const answer = await server.ask("GET", "/api/nothing", {
			headers: { "x-request-id": given },
		});
		expect(answer.headers.get("x-request-id")).toBe(given);
		expect(answer.body).toEqual({ error: "Not found" });
	}
});

test("no stored or requested text adds a header line to an answer", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const injected = "x\r\nSet-Cookie: session=evil\r\nX-Injected: 1\r\n\r\n<b>";
	await server.ask("PATCH", "/api/business", {
		as: asha,
		body: { name: injected },
	});
	await fill(server, asha, "own");
	compareQuickly("right");
	const encoded = encodeURIComponent(injected);
	for (const { name, method, path, body, access } of sampled(
		targets(server),
		6,
	)) {
		const own = access === "member" || access === "gateway";
		for (const at of [
			path,
			`${path}${path.includes("?") ? "&" : "?"}day=${encoded}&from=${encoded}&format=${encoded}&kind=${encoded}`,
			path.replace(/\/[^/?]+($|\?)/, `/${encoded}$1`),
		]) {
			const answer = await server.ask(method, at, {
				body,
				headers: {
					...(own ? { authorization: asha.bearer } : { cookie: asha.cookie }),
					"x-gateway-policy": "cheap%0d%0aX-Injected: 1",
				},
			});
			const told = JSON.stringify([...answer.headers]);
			// Not the word alone, which a random nonce may hold.
			expect(`${name}: ${told}`).not.toMatch(/x-injected|session(=|%3d)evil/i);
			expect(`${name}: ${answer.status}`).not.toMatch(/ 500$/);
		}
	}
});

test("a request id with line breaks in a raw request is ignored", async () => {
	const server = await openTestServer();
	const socket = connect(server.port, "127.0.0.1");
	socket.end(
		"GET /api/setup HTTP/1.1\r\nHost: x\r\nX-Request-Id: 12345678\n\tX-Injected: 1\r\nConnection: close\r\n\r\n",
	);
	let text = "";
	socket.setEncoding("utf8").on("data", (chunk) => {
		text += chunk;
	});
	await once(socket, "close");
	expect(text).toMatch(/^HTTP\/1.1 (200|400) /);
	expect(text).not.toContain("X-Injected");
});
