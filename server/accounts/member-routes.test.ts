import { describe, expect, test } from "vitest";
import { productUpdate } from "../../sync/entities/product.ts";
import { testPasswords } from "../testing/passwords.ts";
import {
	cheapHash,
	expectScenario,
	openTestServer,
	type Scenario,
	twoShops,
} from "../testing/server.ts";
import { members } from "./members.ts";
import { createAdmin } from "./users.ts";

const chege = {
	name: "Chege",
	email: "chege@example.com",
	password: "correct horse",
	role: "CASHIER",
};

const scenarios: Scenario[] = [
	{
		what: "requires credentials",
		as: "nobody",
		method: "GET",
		path: "/api/members",
		status: 401,
		exactly: { error: "Unauthorized" },
	},
	{
		what: "lists the members",
		method: "GET",
		path: "/api/members",
		status: 200,
		answer: { members: [{ name: "Asha", role: "OWNER", disabled: false }] },
		never: ["hash"],
	},
	{
		what: "adds a member",
		method: "POST",
		path: "/api/members",
		body: chege,
		status: 201,
		answer: { name: "Chege", email: "chege@example.com", role: "CASHIER" },
		never: ["correct horse"],
	},
	{
		what: "validates an account like registration",
		method: "POST",
		path: "/api/members",
		body: { ...chege, password: "short" },
		status: 400,
		exactly: { error: "Password must be at least 8 characters" },
	},
	{
		what: "refuses an unknown role",
		method: "POST",
		path: "/api/members",
		body: { ...chege, role: "KING" },
		status: 400,
		answer: { error: expect.stringContaining("role") },
	},
	{
		what: "refuses a known email",
		method: "POST",
		path: "/api/members",
		body: { ...chege, email: "ASHA@example.com" },
		status: 409,
		exactly: { error: "An account with that email already exists" },
	},
	{
		what: "returns 404 for a user who is not a member",
		method: "PATCH",
		path: "/api/members/none",
		body: { role: "MANAGER" },
		status: 404,
		exactly: { error: "Member not found" },
	},
];

describe("/api/members", () => {
	test.each(scenarios)("$method $path $what", expectScenario);

	test("an added cashier can sign in, be promoted, disabled and removed", async () => {
		const { server, asha } = await twoShops();
		const made = await server.ask("POST", "/api/members", {
			as: asha,
			body: chege,
		});
		const { userId } = made.body as { userId: string };
		const signIn = async (password = chege.password) => {
			const body = { email: chege.email, password };
			const answer = await server.ask("POST", "/api/auth/mobile-login", {
				body,
			});
			return answer.body as { token?: string };
		};
		const { token } = await signIn();
		const as = { authorization: `Bearer ${token}` };
		const look = (path: string) => server.ask("GET", path, { headers: as });
		expect((await look("/api/members")).status).toBe(403);
		expect((await look("/api/products")).status).toBe(200);
		const change = (body: object) =>
			server.ask("PATCH", `/api/members/${userId}`, { as: asha, body });
		expect(await change({ role: "MANAGER" })).toMatchObject({
			body: { role: "MANAGER" },
		});
		expect((await look("/api/members")).status).toBe(200);
		expect(
			await server.ask("PATCH", `/api/members/${asha.id}`, {
				headers: as,
				body: { role: "CASHIER" },
			}),
		).toMatchObject({ status: 403 });
		await change({ password: "another horse" });
		expect((await look("/api/products")).status).toBe(401);
		expect((await signIn()).token).toBeUndefined();
		const anew = await signIn("another horse");
		as.authorization = `Bearer ${anew.token}`;
		expect(await change({ disabled: true })).toMatchObject({
			body: { disabled: true },
		});
		expect((await look("/api/products")).status).toBe(401);
		expect((await signIn("another horse")).token).toBeUndefined();
		await change({ disabled: false });
		expect((await look("/api/products")).status).toBe(200);
		const gone = await server.ask("DELETE", `/api/members/${userId}`, {
			as: asha,
		});
		expect(gone.body).toEqual({ ok: true });
		expect((await look("/api/products")).body).toEqual({
			error: "No business membership",
		});
	});

	test("the last owner of a business can't be demoted, disabled or removed", async () => {
		const { server, asha } = await twoShops();
		const path = `/api/members/${asha.id}`;
		const needs = {
			status: 409,
			body: { error: "A business needs an owner who can sign in" },
		};
		for (const body of [{ role: "CASHIER" }, { disabled: true }])
			expect(await server.ask("PATCH", path, { as: asha, body })).toMatchObject(
				needs,
			);
		expect(await server.ask("DELETE", path, { as: asha })).toMatchObject(needs);
		expect(
			(await server.ask("GET", "/api/members", { as: asha })).body,
		).toMatchObject({ members: [{ role: "OWNER", disabled: false }] });
	});

	test("an owner can't change the account of a member who belongs to two businesses", async () => {
		const server = await openTestServer();
		const asha = await server.addUser("Asha");
		const baraka = await server.addUser("Baraka");
		await server.shop.store.write((tx) =>
			tx.run(
				"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, ?, 'CASHIER', '2099-01-01T00:00:00.000Z')",
				asha.businessId,
				baraka.id,
			),
		);
		const change = (body: object) =>
			server.ask("PATCH", `/api/members/${baraka.id}`, { as: asha, body });
		expect(await change({ role: "MANAGER" })).toMatchObject({ status: 200 });
		for (const body of [{ disabled: true }, { password: "taken over!" }])
			expect(await change(body)).toMatchObject({ status: 403 });
	});

	test("an owner can't set the password of a member of two businesses by removing them while it is hashed", async () => {
		const hashing = Promise.withResolvers<void>();
		const removed = Promise.withResolvers<void>();
		const server = await openTestServer({}, undefined, {
			...testPasswords,
			async hash(password) {
				hashing.resolve();
				await removed.promise;
				return testPasswords.hash(password);
			},
		});
		const asha = await server.addUser("Asha");
		const baraka = await server.addUser("Baraka");
		await server.shop.store.write((tx) =>
			members(tx).add(asha.businessId, baraka.id, "CASHIER", Date.now()),
		);
		const path = `/api/members/${baraka.id}`;
		const changing = server.ask("PATCH", path, {
			...{ as: asha, body: { password: "taken over!" } },
		});
		await hashing.promise;
		const { status } = await server.ask("DELETE", path, { as: asha });
		expect(status).toBe(200);
		removed.resolve();
		expect(await changing).toMatchObject({
			...{ status: 404, body: { error: "Member not found" } },
		});
		expect(
			await server.rows(
				"SELECT password_hash FROM users WHERE id = ?",
				baraka.id,
			),
		).toEqual([{ password_hash: cheapHash }]);
	});

	test("a user who changes their password gets no session of the administrator with the same email", async () => {
		const server = await openTestServer();
		const { store, env } = server.shop;
		const user = await server.addUser("Root");
		const email = "root@example.com";
		expect(server.settings.adminEmails).toContain(email);
		const admin = { email, name: "Root", passwordHash: cheapHash };
		await createAdmin(store, env, admin);
		const { headers, status } = await server.ask(
			"PATCH",
			`/api/members/${user.id}`,
			{
				headers: { cookie: user.cookie },
				body: { password: "another horse" },
			},
		);
		expect(status).toBe(200);
		const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
		const look = (path: string) =>
			server.ask("GET", path, { headers: { cookie } });
		expect(await look("/api/session")).toMatchObject({
			body: { user: { id: user.id, role: "user" }, role: "OWNER" },
		});
		expect(await look("/api/admin/stats")).toMatchObject({ status: 403 });
	});

	test("devices are listed with their receipt prefixes, their programs' versions, and how many changes they lack [PUSH-16]", async () => {
		const { server, asha } = await twoShops();
		const sync = async (body: object) => {
			const answer = await server.ask("POST", "/api/sync", {
				...{ as: asha, body: { mutations: [], deviceId: "till-1", ...body } },
			});
			return answer.body as { cursor: string };
		};
		const listed = async () => {
			const { body } = await server.ask("GET", "/api/devices", { as: asha });
			return (body as { devices: object[] }).devices;
		};
		const till = { id: "till-1", prefix: "K" };
		await sync({ prefix: "K" });
		const unsaid = { ...till, program: null, behind: null };
		expect(await listed()).toMatchObject([unsaid]);
		const { cursor } = await sync({ cursor: "", limit: 1 });
		// A new program is noted at once, and what it has within a minute.
		await sync({ program: "1.2.2", cursor, limit: 0 });
		expect(await listed()).toMatchObject([
			{ ...till, program: "1.2.2", behind: 1 },
		]);
		await sync({ program: "1.2.3", cursor });
		expect(await listed()).toMatchObject([{ program: "1.2.3", behind: 0 }]);
		await server.shop.mutate(asha.caller, productUpdate, {
			...{ id: "milk", set: { name: "Maziwa" } },
		});
		expect(await listed()).toMatchObject([{ behind: 1 }]);
		// Another history's cursor says nothing, and an older program names no version.
		await sync({ program: "1.2.4", cursor: "other.9" });
		await sync({});
		expect(await listed()).toMatchObject([{ program: "1.2.4", behind: 1 }]);
	});
});
