import bcrypt from "bcryptjs";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { testPasswords } from "../testing/passwords.ts";
import {
	authSecret,
	cheapPassword,
	credentialsOf,
	openTestServer,
	twoShops,
} from "../testing/server.ts";
import { threadTimeOf } from "../testing/thread-time.ts";
import { openPasswords } from "./passwords.ts";
import { createAdmin } from "./users.ts";

const register = "/api/auth/register";
const login = "/api/auth/mobile-login";
const njeri = {
	name: " Njeri ",
	email: " Njeri@Example.com ",
	password: "correct horse",
};
const wrong = { status: 401, body: { error: "Invalid email or password" } };

describe("registering", () => {
	test("registering creates a user who owns a first business, and doesn't sign in", async () => {
		const server = await openTestServer({}, {}, openPasswords());
		const made = await server.ask("POST", register, { body: njeri });
		expect(made.status).toBe(201);
		expect(made.body).toEqual({
			id: expect.any(String),
			email: "njeri@example.com",
			name: "Njeri",
			businessId: expect.any(String),
		});
		expect(made.headers.get("set-cookie")).toBeNull();
		const rows = await server.rows(
			"SELECT name, currency, role, password_hash FROM businesses JOIN memberships USING (business_id) JOIN users ON users.id = user_id".replace(
				"SELECT name,",
				"SELECT businesses.name,",
			),
		);
		expect(rows).toEqual([
			{
				name: "Njeri's Business",
				currency: "KES",
				role: "OWNER",
				password_hash: expect.stringMatching(/^\$2[aby]\$12\$/),
			},
		]);
		const again = await server.ask("POST", register, { body: njeri });
		expect(again).toMatchObject({
			status: 409,
			body: { error: "An account with that email already exists" },
		});
		expect(await server.rows("SELECT id FROM businesses")).toHaveLength(1);
	});

	test.each([
		["Name is required", {}],
		["Name is required", { name: "  ", email: "a@b.co", password: "12345678" }],
		["Name is required", { name: 5, email: "a@b.co", password: "12345678" }],
		["Enter a valid email address", { name: "N" }],
		[
			"Enter a valid email address",
			{ name: "N", email: "nobody", password: "12345678" },
		],
		[
			"Enter a valid email address",
			{ name: "N", email: "a@b", password: "12345678" },
		],
		["Password must be at least 8 characters", { name: "N", email: "a@b.co" }],
		[
			"Password must be at least 8 characters",
			{ name: "N", email: "a@b.co", password: "1234567" },
		],
		[
			"Password must be at most 72 bytes",
			{ name: "N", email: "a@b.co", password: "é".repeat(40) },
		],
		["Invalid request body", "{"],
		["Invalid request body", new Uint8Array([0x22, 0xff, 0x22])],
		["Invalid request body", ""],
	])("registering is refused with '%s' for %j", async (error, body) => {
		const server = await openTestServer();
		expect(await server.ask("POST", register, { body })).toMatchObject({
			status: 400,
			body: { error },
		});
		expect(await server.rows("SELECT id FROM users")).toEqual([]);
	});

	test("registering names the field of an unknown currency or time zone", async () => {
		const server = await openTestServer();
		for (const field of ["currency", "timeZone"])
			expect(
				await server.ask("POST", register, {
					body: { ...njeri, [field]: "x" },
				}),
			).toMatchObject({
				status: 400,
				body: { error: expect.stringContaining(field) },
			});
	});

	test("an administrator's email can't be registered", async () => {
		const server = await openTestServer();
		const body = { ...njeri, email: "Root@example.com" };
		expect(await server.ask("POST", register, { body })).toMatchObject({
			status: 409,
		});
	});
});

describe("signing in", () => {
	test.each<Record<string, string>>([
		{ origin: "https://app.example" },
		{ origin: "null" },
		{ "sec-fetch-site": "cross-site" },
	])("a mobile login gives a token from any origin: %o", async (headers) => {
		const server = await openTestServer();
		await server.addUser("Asha");
		const signIn = (path: string, password: string) =>
			server.ask("POST", path, {
				body: { email: "asha@example.com", password },
				headers,
			});
		expect(await signIn(login, cheapPassword)).toMatchObject({
			status: 200,
			body: { token: expect.any(String) },
		});
		expect(await signIn(login, "wrong horse")).toMatchObject(wrong);
		// Cross-site cookie sign-ins are refused: they would sign this browser in as another user.
		expect(await signIn("/login", cheapPassword)).toMatchObject({
			status: 403,
		});
	});

	test("a login gives a working token, and doesn't reveal whether email or password was wrong", async () => {
		const server = await openTestServer();
		await server.ask("POST", register, { body: njeri });
		const good = await server.ask("POST", login, { body: njeri });
		expect(good.body).toEqual({
			token: expect.any(String),
			user: {
				id: expect.any(String),
				email: "njeri@example.com",
				name: "Njeri",
				role: "user",
				businessId: expect.any(String),
			},
		});
		const { token, user } = good.body as {
			token: string;
			user: { id: string; businessId: string };
		};
		const claims = JSON.parse(
			Buffer.from(token.split(".")[1] as string, "base64url").toString(),
		);
		expect(claims).toMatchObject({
			sub: user.id,
			email: "njeri@example.com",
			name: "Njeri",
			role: "user",
			businessId: user.businessId,
			iss: "service",
			aud: "service-mobile",
		});
		expect(claims.exp - claims.iat).toBe(30 * 24 * 3_600);
		const headers = { authorization: `Bearer ${token}` };
		expect((await server.ask("GET", "/api/products", { headers })).status).toBe(
			200,
		);
		for (const body of [
			{ ...njeri, password: "wrong horse" },
			{ ...njeri, email: "other@example.com" },
			{},
			{ email: 5, password: [] },
			{ ...njeri, password: `${njeri.password}${"x".repeat(80)}` },
		])
			expect(await server.ask("POST", login, { body })).toMatchObject(wrong);
	});

	oneIn(3)("a login doesn't block other requests", async () => {
		const server = await openTestServer({}, {}, openPasswords());
		await server.ask("POST", register, { body: njeri });
		const [stored] = await server.rows("SELECT password_hash FROM users");
		const hash = stored?.password_hash as string;
		const comparison = await threadTimeOf(() =>
			expect(bcrypt.compareSync(njeri.password, hash)).toBe(true),
		);
		const logins = await threadTimeOf(async () => {
			const answers = await Promise.all(
				Array.from({ length: 4 }, () =>
					server.ask("POST", login, { body: njeri }),
				),
			);
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
		});
		// On this thread, even one of their comparisons would take as long.
		expect(logins).toBeLessThan(comparison);
	});

	test("an email in ADMIN_EMAILS signs in only against administrators' accounts", async () => {
		const server = await openTestServer();
		const { store, env } = server.shop;
		const account = {
			name: "Root",
			passwordHash: await testPasswords.hash("admin's horse"),
		};
		await createAdmin(store, env, { ...account, email: "root@example.com" });
		await createAdmin(store, env, { ...account, email: "former@example.com" });
		const enter = (email: string) =>
			server.ask("POST", login, { body: { email, password: "admin's horse" } });
		const good = await enter("root@example.com");
		expect(good.body).toMatchObject({
			user: { role: "admin", businessId: null },
		});
		expect(await enter("former@example.com")).toMatchObject(wrong);
		const { token } = good.body as { token: string };
		// An administrator sees statistics, not business data.
		const asked = await server.ask("GET", "/api/products", {
			headers: { authorization: `Bearer ${token}` },
		});
		expect(asked).toMatchObject({
			status: 401,
			body: { error: "No business membership" },
		});
	});
});

describe("credentials", () => {
	const unauthorized = { status: 401, body: { error: "Unauthorized" } };
	const path = "/api/products";

	test("a bearer token takes precedence, and if it fails the cookie is not used", async () => {
		const { server, asha, baraka } = await twoShops();
		const names = async (headers: Record<string, string>) => {
			const { body } = await server.ask("GET", path, { headers });
			return (body as { name: string }[]).map(({ name }) => name);
		};
		expect(await names({ cookie: asha.cookie })).toEqual(["Milk"]);
		expect(await names({ cookie: `theme=dark; ${asha.cookie}; x=y` })).toEqual([
			"Milk",
		]);
		expect(
			await names({ cookie: asha.cookie, authorization: baraka.bearer }),
		).toEqual(["Canary"]);
		for (const authorization of [
			"Bearer x",
			"Bearer ",
			"bearer",
			"Bearer x y",
			asha.bearer.slice(0, -2),
		])
			expect(
				await server.ask("GET", path, {
					headers: { cookie: asha.cookie, authorization },
				}),
			).toMatchObject(unauthorized);
	});

	test.each(["", "Basic YTpi", "Token x", "Bearerish x"])(
		"a cookie counts beside an Authorization header of another scheme (%j)",
		async (authorization) => {
			const { server, asha } = await twoShops();
			const { cookie } = asha;
			const headers = { cookie, authorization };
			expect(await server.ask("GET", path, { headers })).toMatchObject({
				status: 200,
			});
			expect(await server.ask("GET", "/v1/models", { headers })).toMatchObject({
				status: 200,
			});
			expect(
				await server.ask("GET", path, { headers: { authorization } }),
			).toMatchObject(unauthorized);
			// A user who changes their own password stays signed in with this browser.
			const { headers: told } = await server.ask(
				"PATCH",
				`/api/members/${asha.id}`,
				{ headers, body: { password: "another horse" } },
			);
			expect(told.get("set-cookie")).toContain("session=");
		},
	);

	test("a session cookie can't be used as a bearer token, nor the reverse", async () => {
		const { server, asha } = await twoShops();
		const bearer = asha.cookie.replace("session=", "Bearer ");
		const cookie = asha.bearer.replace("Bearer ", "session=");
		expect(
			await server.ask("GET", path, { headers: { authorization: bearer } }),
		).toMatchObject(unauthorized);
		expect(
			await server.ask("GET", path, { headers: { cookie } }),
		).toMatchObject(unauthorized);
	});

	test.each([
		["another issuer", { iss: "other" }, authSecret],
		["another audience", { aud: "other" }, authSecret],
		["an expiry in the past", { exp: 1_600_000_000 }, authSecret],
		["no expiry", { exp: undefined }, authSecret],
		["an unknown role", { role: "god" }, authSecret],
		["another secret", {}, `${authSecret}!`],
	])("a token with %s is rejected", async (_what, change, secret) => {
		const { server, asha } = await twoShops();
		const sign = (claims: object) => {
			const all = {
				sub: asha.id,
				email: "asha@example.com",
				name: "Asha",
				role: "user",
				businessId: asha.businessId,
				iss: "service",
				aud: "service-mobile",
				exp: Math.floor(Date.now() / 1_000) + 60,
			};
			const token = new SignJWT({ ...all, ...claims }).setProtectedHeader({
				alg: "HS256",
			});
			return token.sign(new TextEncoder().encode(secret));
		};
		const authorization = `Bearer ${await sign(change)}`;
		expect(
			await server.ask("GET", path, { headers: { authorization } }),
		).toMatchObject(unauthorized);
		if (secret === authSecret)
			expect(
				(
					await server.ask("GET", path, {
						headers: { authorization: `Bearer ${await sign({})}` },
					})
				).status,
			).toBe(200);
	});

	test("a token without a signature is rejected", async () => {
		const { server, asha } = await twoShops();
		const [, payload] = asha.bearer.split(".");
		const header = Buffer.from('{"alg":"none"}').toString("base64url");
		const authorization = `Bearer ${header}.${payload}.`;
		expect(
			await server.ask("GET", path, { headers: { authorization } }),
		).toMatchObject(unauthorized);
	});

	test("a token stops working when the membership or account ends", async () => {
		const { server, asha } = await twoShops();
		const { store } = server.shop;
		await store.write((tx) =>
			tx.run("DELETE FROM memberships WHERE user_id = ?", asha.id),
		);
		expect(await server.ask("GET", path, { as: asha })).toMatchObject({
			status: 401,
			body: { error: "No business membership" },
		});
		await store.write((tx) =>
			tx.run(
				"UPDATE users SET disabled_at = '2026-01-01' WHERE id = ?",
				asha.id,
			),
		);
		expect(await server.ask("GET", path, { as: asha })).toMatchObject(
			unauthorized,
		);
	});

	test("claims in a token never widen a user's access", async () => {
		const { server, asha, baraka } = await twoShops();
		const { bearer } = await credentialsOf({
			id: asha.id,
			email: "asha@example.com",
			name: "Asha",
			role: "user",
			businessId: baraka.businessId,
		});
		const { body } = await server.ask("GET", path, {
			headers: { authorization: bearer },
		});
		expect(body).toMatchObject([{ name: "Milk" }]);
	});
});

describe("a cookie", () => {
	test("a cookie can't change anything in a request from another site", async () => {
		const { server, asha } = await twoShops();
		const sell = (headers: Record<string, string>) =>
			server.ask("POST", "/api/sales", {
				headers: { cookie: asha.cookie, ...headers },
				body: { items: [{ name: "x", quantity: 1, price: 1, cost: 1 }] },
			});
		const { host } = new URL(server.url);
		for (const headers of [
			{ origin: "https://evil.example" },
			{ origin: "null" },
			{ origin: `http://${host}`, "sec-fetch-site": "cross-site" },
			{ "sec-fetch-site": "same-site" },
		] as Record<string, string>[])
			expect(await sell(headers)).toMatchObject({
				status: 403,
				body: { error: "Forbidden" },
			});
		expect((await sell({ origin: `http://${host}` })).status).toBe(201);
		expect((await sell({ "sec-fetch-site": "same-origin" })).status).toBe(201);
		// A bearer token is safe, because browsers don't send it by themselves.
		const withBearer = {
			authorization: asha.bearer,
			origin: "https://app.example",
		};
		expect((await sell(withBearer)).status).toBe(201);
	});

	test("GET /api/business accepts a cookie but no bearer token", async () => {
		const { server, asha } = await twoShops();
		const { cookie } = asha;
		expect(
			await server.ask("GET", "/api/business", { headers: { cookie } }),
		).toMatchObject({
			status: 200,
			body: { id: asha.businessId, name: "Asha's shop", currency: "KES" },
		});
		expect(
			await server.ask("GET", "/api/business", { as: asha }),
		).toMatchObject({ status: 401, body: { error: "Unauthorized" } });
	});
});
