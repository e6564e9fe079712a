import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { sampled } from "../../../sync/testing/lane.ts";
import { fill } from "../../testing/operations.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { compareQuickly, dump, targets } from "./testing/attacks.ts";

const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};

/** The headers of a browser's request from another site's page. */
const crossSite: Record<string, Record<string, string>> = {
	"another origin": { origin: "https://evil.example" },
	"no origin": { origin: "null" },
	"an origin that is none": { origin: "evil" },
	"an origin with our name in it": { origin: "http://localhost.evil.example" },
	"another site": { "sec-fetch-site": "cross-site" },
	"a neighbour": { "sec-fetch-site": "same-site" },
	"a word that no browser says": { "sec-fetch-site": "same-origin, none" },
	"a form as plain text": {
		origin: "https://evil.example",
		"content-type": "text/plain",
	},
	"a form with a file": {
		"sec-fetch-site": "cross-site",
		"content-type": "multipart/form-data; boundary=x",
	},
};

test("no operation lets another site's page change anything, for any signed-in role", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const before = await dump(server);
	const changing = targets(server).filter(({ method }) => method !== "GET");
	expect(changing.length).toBeGreaterThan(30);
	for (const { name, method, path, body } of sampled(changing, 3)) {
		for (const [what, headers] of Object.entries(crossSite)) {
			const { status } = await server.ask(method, path, {
				body,
				headers: { cookie: asha.cookie, ...headers },
			});
			// Signing in for a token changes nothing, and the other site can't read the answer.
			const isRefused = path !== "/api/auth/mobile-login";
			expect(`${name} from ${what}: ${status}`).toBe(
				`${name} from ${what}: ${isRefused ? 403 : 401}`,
			);
		}
	}
	expect(await dump(server)).toBe(before);

	// Browsers never add a bearer token by themselves.
	const { status } = await server.ask("POST", "/api/categories", {
		headers: { authorization: asha.bearer, ...crossSite["another origin"] },
		body: { name: "Drinks" },
	});
	expect(status).toBe(201);
});

test("no other origin may read an answer", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const origins = ["https://evil.example", "null", server.url];
	for (const { name, method, path } of sampled(targets(server), 8))
		for (const origin of origins)
			for (const asked of ["OPTIONS", method === "GET" ? "GET" : "HEAD"]) {
				const { status, headers } = await server.ask(asked, path, {
					headers: {
						origin,
						cookie: asha.cookie,
						"access-control-request-method": method,
						"access-control-request-headers": "content-type",
					},
				});
				const allowed = [...headers.keys()].filter((header) =>
					header.startsWith("access-control-"),
				);
				expect({ name, asked, allowed }).toEqual({ name, asked, allowed: [] });
				if (asked === "OPTIONS")
					expect(`${name}: ${status}`).toBe(`${name}: 405`);
			}
});

function register(server: TestServer) {
	compareQuickly(account.password);
	return server.ask("POST", "/api/auth/register", { body: account });
}

async function signIn(
	server: TestServer,
	headers: Record<string, string> = {},
) {
	const answer = await server.ask("POST", "/login", { body: account, headers });
	const set = answer.headers.get("set-cookie") ?? "";
	return { set, cookie: set.split(";")[0] ?? "" };
}

const looks = async (server: TestServer, cookie: string) => {
	const answer = await server.ask("GET", "/api/session", {
		headers: { cookie },
	});
	return answer.status;
};

test("each sign-in starts a new session, and signing out ends it everywhere [AUTH-2]", async () => {
	const server = await openTestServer();
	await register(server);
	const preset = "session=chosen-by-somebody-else";
	const first = await signIn(server, { cookie: preset });
	expect(first.cookie).not.toBe(preset);
	expect(await looks(server, preset)).toBe(401);
	// Signs in within the same second, over the first session.
	const second = await signIn(server, { cookie: first.cookie });
	expect(second.cookie).not.toBe(first.cookie);
	const { cookie } = first;

	await server.ask("POST", "/logout", {
		headers: { cookie, origin: "https://evil.example" },
	});
	expect(await looks(server, cookie)).toBe(200);
	const out = await server.ask("POST", "/logout", { headers: { cookie } });
	expect([out.status, out.body]).toEqual([200, { ok: true }]);
	expect(await looks(server, cookie)).toBe(401);
	expect(await looks(server, second.cookie)).toBe(200);
	// Signing out again, or without a session, ends nothing and doesn't fail.
	for (const headers of [{ cookie }, { cookie: preset }, {}] as Record<
		string,
		string
	>[])
		expect((await server.ask("POST", "/logout", { headers })).status).toBe(200);
	const rows = await server.rows("SELECT id FROM ended_sessions");
	const { jti } = JSON.parse(
		Buffer.from(cookie.split(".")[1] ?? "", "base64url").toString(),
	);
	expect(rows).toEqual([{ id: jti }]);
});

test("a session that ended before sessions had ids stays ended", async () => {
	const server = await openTestServer();
	await register(server);
	const { cookie } = await signIn(server);
	await server.shop.store.write((tx) =>
		tx.run(
			"INSERT INTO ended_sessions (id, expires_at) VALUES (?, '2099-01-01T00:00:00.000Z')",
			hash("sha256", cookie.slice("session=".length)),
		),
	);
	expect(await looks(server, cookie)).toBe(401);
});

test("no other spelling of a token is accepted, before or after signing out", async () => {
	const server = await openTestServer();
	await register(server);
	const { cookie } = await signIn(server);
	const { body } = await server.ask("POST", "/api/auth/mobile-login", {
		body: account,
	});
	const bearer = (body as { token: string }).token;
	const asked = (token: string, kind: "cookie" | "bearer") =>
		server.ask("GET", "/api/products", {
			headers:
				kind === "cookie"
					? { cookie: `session=${token}` }
					: { authorization: `Bearer ${token}` },
		});
	const spellings = (token: string) => {
		const letters =
			"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
		const last = letters.indexOf(token.at(-1) as string);
		// The last base64 letter of 32 bytes has two unused bits.
		const others = [1, 2, 3].map(
			(bits) => token.slice(0, -1) + letters[(last & ~3) | ((last + bits) & 3)],
		);
		const middle = token.length - 9;
		const split = (by: string) =>
			token.slice(0, middle) + by + token.slice(middle);
		return [
			...others,
			`${token}=`,
			`${token}==`,
			`${token}.`,
			`${token}A`,
			split(" "),
			split("\t"),
			split("="),
			split("+"),
			split("."),
			`"${token}"`,
		];
	};
	const session = cookie.slice("session=".length);
	for (const spelling of spellings(session)) {
		expect(spelling).not.toBe(session);
		expect(`${spelling}: ${(await asked(spelling, "cookie")).status}`).toBe(
			`${spelling}: 401`,
		);
	}
	for (const spelling of spellings(bearer))
		expect(`${spelling}: ${(await asked(spelling, "bearer")).status}`).toBe(
			`${spelling}: 401`,
		);
	expect((await asked(session, "cookie")).status).toBe(200);
	expect((await asked(bearer, "bearer")).status).toBe(200);
	await server.ask("POST", "/logout", { headers: { cookie } });
	for (const spelling of [session, ...spellings(session)])
		expect((await asked(spelling, "cookie")).status).toBe(401);
});

test("scripts can't read the session cookie, and one set over HTTPS isn't sent over HTTP", async () => {
	const server = await openTestServer();
	await register(server);
	const plain = await signIn(server);
	expect(plain.set.replace(/=ey[^;]+|Expires=[^;]+/g, "…")).toBe(
		"session…; Max-Age=2592000; Path=/; …; HttpOnly; SameSite=Lax",
	);
	const secure = await signIn(server, { "x-forwarded-proto": "https" });
	expect(secure.set.replace(/=ey[^;]+|Expires=[^;]+/g, "…")).toBe(
		"__Host-session…; Max-Age=2592000; Path=/; …; HttpOnly; Secure; SameSite=Lax",
	);
	// Another host of the domain can set the plain name, and a proxy strips nothing.
	const https = { "x-forwarded-proto": "https" };
	for (const [cookie, headers, status] of [
		[secure.cookie, https, 200],
		[secure.cookie.replace("__Host-", ""), https, 401],
		[plain.cookie, {}, 200],
		[`__Host-${plain.cookie}`, {}, 401],
	] as const)
		expect(
			(
				await server.ask("GET", "/api/session", {
					headers: { cookie, ...headers },
				})
			).status,
		).toBe(status);
	const out = await server.ask("POST", "/logout", {
		headers: { cookie: plain.cookie },
	});
	expect(out.headers.get("set-cookie")).toMatch(
		/^session=; Max-Age=0; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
	);
});

test("a second, forged session cookie bypasses nothing, and the page continues without either", async () => {
	const server = await openTestServer();
	await register(server);
	const { cookie } = await signIn(server);
	expect(await looks(server, `theme=dark; ${cookie}`)).toBe(200);
	for (const cookies of [
		`session=false; ${cookie}`,
		`Session${cookie.slice("session".length)}`,
		`xsession${cookie.slice("session".length)}`,
		`session="${cookie.slice("session=".length)}"`,
		`session[]${cookie.slice("session".length)}`,
	])
		expect(`${cookies}: ${await looks(server, cookies)}`).toBe(
			`${cookies}: 401`,
		);
});

test("a new password ends every other session and token [AUTH-2]", async () => {
	const server = await openTestServer();
	const made = await register(server);
	const { id } = made.body as { id: string };
	const here = await signIn(server);
	const elsewhere = await signIn(server);
	const { body } = await server.ask("POST", "/api/auth/mobile-login", {
		body: account,
	});
	const { token } = body as { token: string };
	const changed = await server.ask("PATCH", `/api/members/${id}`, {
		headers: { cookie: here.cookie },
		body: { password: "another horse" },
	});
	expect(changed.status).toBe(200);
	const renewed = changed.headers.get("set-cookie")?.split(";")[0] ?? "";
	expect(await looks(server, renewed)).toBe(200);
	expect(await looks(server, here.cookie)).toBe(401);
	expect(await looks(server, elsewhere.cookie)).toBe(401);
	const asked = await server.ask("GET", "/api/products", {
		headers: { authorization: `Bearer ${token}` },
	});
	expect([asked.status, asked.body]).toEqual([401, { error: "Unauthorized" }]);
	// Other changes end no session.
	await server.ask("PATCH", `/api/members/${id}`, {
		headers: { cookie: renewed },
		body: { role: "OWNER" },
	});
	expect(await looks(server, renewed)).toBe(200);
});
