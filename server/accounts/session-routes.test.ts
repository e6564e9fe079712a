import { describe, expect, test } from "vitest";
import { openTestServer } from "../testing/server.ts";

const account = {
	name: "<b>Njeri</b>",
	email: "njeri@example.com",
	password: "correct horse",
};

function form(fields: Record<string, string>) {
	return {
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams(fields).toString(),
	};
}

describe("the pages", () => {
	test("the login page signs in with a session of 30 days, and the logout ends it", async () => {
		const server = await openTestServer();
		await server.ask("POST", "/api/auth/register", { body: account });
		const wrong = await server.ask(
			"POST",
			"/login",
			form({ ...account, password: "wrong horse" }),
		);
		expect(wrong.status).toBe(401);
		expect(wrong.text).toContain("Invalid email or password");
		expect(wrong.headers.get("set-cookie")).toBeNull();

		const good = await server.ask("POST", "/login", form(account));
		expect([good.status, good.headers.get("location")]).toEqual([303, "/"]);
		const set = good.headers.get("set-cookie") as string;
		expect(set).toMatch(
			/^session=[^;]+; Max-Age=2592000; Path=\/;.* HttpOnly; SameSite=Lax$/,
		);
		const cookie = set.split(";")[0] as string;
		const session = await server.ask("GET", "/api/session", {
			headers: { cookie },
		});
		expect(session.body).toMatchObject({
			user: { email: account.email, businessId: expect.any(String) },
			role: "OWNER",
		});

		const out = await server.ask("POST", "/logout", { headers: { cookie } });
		expect(out.headers.get("set-cookie")).toMatch(/^session=; Max-Age=0;/);
	});

	test("sign-in answers scripts in JSON, sets a Secure cookie behind HTTPS, and refuses other sites", async () => {
		const server = await openTestServer();
		await server.ask("POST", "/api/auth/register", { body: account });
		const headers = { "x-forwarded-proto": "https" };
		const good = await server.ask("POST", "/login", { body: account, headers });
		expect(good.body).toMatchObject({
			user: { email: account.email, role: "user" },
		});
		expect(good.headers.get("set-cookie")).toContain("; Secure");
		const bad = await server.ask("POST", "/login", { body: {} });
		expect(bad).toMatchObject({
			status: 401,
			body: { error: "Invalid email or password" },
		});
		const origin = "https://evil.example";
		for (const path of ["/login", "/logout"])
			expect(
				await server.ask("POST", path, { headers: { origin }, body: account }),
			).toMatchObject({ status: 403, body: { error: "Forbidden" } });
	});

	test("pages hide the server's software and have a strict content security policy", async () => {
		const server = await openTestServer();
		for (const path of ["/", "/login"]) {
			const page = await server.ask("GET", path);
			expect(page.status).toBe(200);
			expect(page.text).toContain(
				'<html lang="en" data-place="browser" data-session="none">',
			);
			expect(page.headers.get("x-powered-by")).toBeNull();
			expect(page.headers.get("content-security-policy")).toContain(
				"script-src 'self' 'wasm-unsafe-eval'",
			);
		}
	});

	test("a page says whether its request brought a session", async () => {
		const server = await openTestServer();
		const { text } = await server.ask("GET", "/", {
			headers: { cookie: "other=1; session=ended" },
		});
		expect(text).toContain('data-session="sent"');
	});

	test("a path without a page returns 404", async () => {
		const server = await openTestServer();
		for (const [method, path] of [
			["GET", "/nothing"],
			["POST", "/api/nothing"],
			["GET", "/api"],
			["GET", "/auth-secret"],
			["GET", "/..%2fpackage.json"],
		] as const)
			expect(await server.ask(method, path)).toMatchObject({
				status: 404,
				body: { error: "Not found" },
			});
		const wrong = await server.ask("DELETE", "/login");
		expect(wrong).toMatchObject({
			status: 405,
			body: { error: "Method not allowed" },
		});
		expect(wrong.headers.get("allow")).toBe("POST");
		expect(await server.ask("HEAD", "/healthz")).toMatchObject({
			status: 200,
			text: "",
		});
	});
});
