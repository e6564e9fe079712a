import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { openTestServer, twoShops } from "../../testing/server.ts";
import { rawRequest, sendRaw } from "./testing/raw-request.ts";

const error = { error: expect.any(String) };
const smuggled = "GET /healthz HTTP/1.1\r\nHost: shop\r\n\r\n";
const chunked = `5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`;

/** Requests that a proxy might read differently from the server (RFC 9112, sections 3.2 and 11.2). */
const ambiguous: [string, string][] = [
	[
		"a length and chunks",
		rawRequest(
			"POST /api/products",
			{ "Content-Length": "4", "Transfer-Encoding": "chunked" },
			`${chunked}${smuggled}`,
		),
	],
	[
		"chunks and a length",
		rawRequest(
			"POST /api/products",
			{ "Transfer-Encoding": "chunked", "Content-Length": "4" },
			`${chunked}${smuggled}`,
		),
	],
	[
		"two lengths",
		rawRequest(
			"POST /api/products",
			{ "Content-Length": "2", "content-length": "40" },
			`{}${smuggled}`,
		),
	],
	[
		"a length that is none",
		rawRequest("POST /api/products", { "Content-Length": "+2" }, "{}"),
	],
	[
		"an encoding that is none",
		rawRequest(
			"POST /api/products",
			{ "Transfer-Encoding": "xchunked" },
			chunked,
		),
	],
	[
		"chunks that are not last",
		rawRequest(
			"POST /api/products",
			{ "Transfer-Encoding": "chunked, identity" },
			chunked,
		),
	],
	[
		"white space before a colon",
		rawRequest(
			"POST /api/products",
			{ "Transfer-Encoding ": "chunked" },
			chunked,
		),
	],
	[
		"a chunk whose length is none",
		rawRequest(
			"POST /api/auth/register",
			{ "Transfer-Encoding": "chunked" },
			"zz\r\n{}\r\n0\r\n\r\n",
		),
	],
	[
		"two hosts",
		"GET /healthz HTTP/1.1\r\nHost: shop\r\nHost: evil\r\nConnection: close\r\n\r\n",
	],
	["a whole address", rawRequest("GET http://evil/healthz")],
	["a whole address to a page", rawRequest("GET http://evil/")],
	["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
];

test("an ambiguous request is refused, and nothing after it is read", async () => {
	const server = await openTestServer();
	for (const [what, request] of ambiguous) {
		const { status, answers, body, text } = await sendRaw(server, request);
		expect([what, status, answers, body]).toEqual([what, 400, 1, error]);
		expect(text).not.toContain('"status"');
	}
});

const address = Object.values(networkInterfaces())
	.flat()
	.find((it) => it?.family === "IPv4" && !it.internal)?.address;

describe("forwarding headers", () => {
	const forwarded = {
		"x-forwarded-proto": "https",
		"x-forwarded-for": "10.0.0.1",
		"x-forwarded-host": "evil.example",
		forwarded: "for=10.0.0.1;proto=https;host=evil.example",
	};
	const signIn = (url: string, setupCode: string | undefined) =>
		fetch(new URL("/api/setup", url), {
			method: "POST",
			headers: { ...forwarded, "content-type": "application/json" },
			body: JSON.stringify({
				name: "Njeri",
				email: "njeri@example.com",
				password: "correct horse",
				setupCode,
			}),
		});

	test("forwarding headers count only from a proxy on this machine", async () => {
		const server = await openTestServer();
		const answer = await signIn(
			`http://127.0.0.1:${server.port}`,
			server.setupCode,
		);
		expect(answer.status).toBe(201);
		expect(answer.headers.get("set-cookie")).toContain("; Secure");
	});

	test.skipIf(address === undefined)(
		"forwarding headers from another machine are ignored (skipped on a machine without a network)",
		async () => {
			const server = await openTestServer({ HOST: "0.0.0.0" });
			const answer = await signIn(
				`http://${address}:${server.port}`,
				server.setupCode,
			);
			expect(answer.status).toBe(201);
			expect(answer.headers.get("set-cookie")).not.toContain("Secure");
		},
	);

	test("forwarding headers don't make another site's POST same-origin", async () => {
		const { server, asha } = await twoShops();
		const answer = await server.ask("POST", "/api/products", {
			headers: {
				...forwarded,
				cookie: `__Host-${asha.cookie}`,
				origin: "https://evil.example",
			},
			body: { name: "Tea" },
		});
		expect(answer).toMatchObject({
			status: 403,
			body: { error: "Forbidden" },
		});
	});
});
