import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type * as z from "zod";
import { oneIn } from "../../../sync/testing/lane.ts";
import { storeKind } from "../../../sync/testing/store-kind.ts";
import { openPasswords } from "../../accounts/passwords.ts";
import { currentRequest } from "../../http/request-id.ts";
import { fill } from "../../testing/operations.ts";
import { openTestServer, type TestServer } from "../../testing/server.ts";
import { compareQuickly, dump, targets } from "./testing/attacks.ts";

const register = "/api/auth/register";
const account = {
	name: "Njeri",
	email: "njeri@example.com",
	password: "correct horse",
};
const short = "Password must be at least 8 characters";
const long = "Password must be at most 72 bytes";
const noText = "Password must be well-formed text";

/** Passwords with the expected message, or undefined if accepted. */
const passwords: [what: string, password: unknown, told: string | undefined][] =
	[
		["72 bytes", "x".repeat(72), undefined],
		["73 bytes", "x".repeat(73), long],
		["72 letters of two bytes", "é".repeat(72), long],
		[
			"letters that come apart, 72 bytes together",
			"e\u0301".repeat(36),
			undefined,
		],
		["all that a body may hold", "x".repeat(19_000), long],
		["NUL", "correct\0horse", noText],
		["half a letter", "correct horse \ud800", noText],
		["seven letters", "1234567", short],
		["a list", ["correct horse"], short],
		["an object", { length: 20 }, short],
		["a number", 1_234_567_890, short],
		["true", true, short],
		["null", null, short],
	];

test("a password is kept whole or refused with a reason, at every operation that sets one", async () => {
	const server = await openTestServer();
	const jobs = compareQuickly("");
	const asha = await server.addUser("Asha");
	const member = { ...account, role: "CASHIER" };
	for (const [i, [what, password, told]] of passwords.entries())
		for (const [path, body] of [
			[register, account],
			["/api/members", member],
		] as const) {
			const before = jobs.length;
			const email = `${path.length}.${i}@example.com`;
			const answer = await server.ask("POST", path, {
				as: asha,
				body: { ...body, email, password },
			});
			expect({ what, path, status: answer.status }).toEqual({
				what,
				path,
				status: told === undefined ? 201 : 400,
			});
			if (told !== undefined) expect(answer.body).toEqual({ error: told });
			expect(jobs.length - before).toBe(told === undefined ? 1 : 0);
		}
	// A body over a megabyte is refused unread.
	const huge = await server.ask("POST", register, {
		body: { ...account, password: "x".repeat(1_100_000) },
	});
	expect(huge.status).toBe(413);
	const changed = await server.ask("PATCH", `/api/members/${asha.id}`, {
		as: asha,
		body: { password: "x".repeat(73) },
	});
	expect([changed.status, changed.body]).toEqual([400, { error: long }]);
});

test("an administrator's email is refused after the same work as a user's, at every operation that creates accounts", async () => {
	const server = await openTestServer();
	const jobs = compareQuickly("");
	const asha = await server.addUser("Asha");
	const { store } = server.shop;
	const read = store.read.bind(store);
	const write = store.write.bind(store);
	const trips = { reads: 0, writes: 0 };
	// Not those of the server itself, which looks into its queue now and then.
	vi.spyOn(store, "read").mockImplementation((fn) => {
		if (currentRequest()) trips.reads += 1;
		return read(fn);
	});
	vi.spyOn(store, "write").mockImplementation((fn, options) => {
		if (currentRequest()) trips.writes += 1;
		return write(fn, options);
	});
	for (const [path, more] of [
		[register, {}],
		["/api/members", { role: "CASHIER" }],
	] as const) {
		const work = [];
		for (const email of ["root@example.com", "asha@example.com"]) {
			Object.assign(trips, { reads: 0, writes: 0 });
			jobs.length = 0;
			const refused = await server.ask("POST", path, {
				as: asha,
				body: { ...account, ...more, email },
			});
			expect([refused.status, refused.body]).toEqual([
				409,
				{ error: "An account with that email already exists" },
			]);
			work.push({ jobs: jobs.length, ...trips });
		}
		expect(work[0]?.reads).toBeGreaterThan(0);
		expect(work[0]).toEqual(work[1]);
	}
});

const poison = "poison-3f9a";
/** Extra fields to send: ones that the server decides, and properties of every object. */
const besides = {
	...Object.fromEntries(
		[
			...["id", "businessId", "business_id", "userId", "user_id", "role"],
			...["isAdmin", "admin", "total", "cost", "profit", "change", "tax"],
			...["version", "deleted", "createdAt", "updatedAt", "at", "epoch"],
			...["password_hash", "passwordHash", "tokenVersion", "disabledAt"],
			...["disabled", "receiptNumber", "deviceId", "channel", "read", "key"],
			...["keyHash", "hint", "spent", "toString", "hasOwnProperty", "then"],
		].map((name) => [name, poison]),
	),
};
const inherited = `"__proto__":{"${poison}":true,"role":"admin"},"constructor":{"prototype":{"${poison}":true}},"prototype":{"${poison}":true}`;

test("extra fields are not stored, not echoed and change no object", async () => {
	const server = await openTestServer();
	compareQuickly(account.password);
	const asha = await server.addUser("Asha");
	await fill(server, asha, "own");
	const before = Object.getOwnPropertyNames(Object.prototype);
	const taking = targets(server).filter(
		({ body, operation }) =>
			operation.body && typeof body === "object" && body !== null,
	);
	expect(taking.length).toBeGreaterThan(20);
	for (const { name, method, path, body, operation } of taking) {
		const taken = fieldsOf(operation.body as z.ZodType);
		const more = Object.fromEntries(
			Object.entries(besides).filter(([field]) => !taken.includes(field)),
		);
		const text = JSON.stringify({ ...more, ...(body as object) });
		const answer = await server.ask(method, path, {
			as: asha,
			body: text.replace(/\}$/, `,${inherited}}`),
		});
		expect(`${name}: ${answer.status}`).not.toMatch(/ 5\d\d$/);
		expect(`${name}: ${answer.text}`).not.toContain(poison);
	}
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
	expect(({} as Record<string, unknown>)[poison]).toBeUndefined();
	expect(await dump(server)).not.toContain(poison);
});

/** The fields of an object schema, also inside a transform. */
function fieldsOf(schema: z.ZodType): string[] {
	const { shape, in: from } = schema.def as unknown as {
		shape?: object;
		in?: z.ZodType;
	};
	return shape ? Object.keys(shape) : from ? fieldsOf(from) : [];
}

test("registering gives one new business, and nothing else that the body names", async () => {
	const server = await openTestServer();
	compareQuickly(account.password);
	const asha = await server.addUser("Asha");
	const { status, body } = await server.ask("POST", register, {
		body: {
			...account,
			id: asha.id,
			businessId: asha.businessId,
			business: { name: "x" },
			role: "admin",
			memberships: [{ businessId: asha.businessId, role: "OWNER" }],
			tokenVersion: -1,
			token_version: -1,
		},
	});
	const made = body as { id: string; businessId: string };
	expect([status, Object.keys(made)]).toEqual([
		201,
		["id", "email", "name", "businessId"],
	]);
	expect(made.id).not.toBe(asha.id);
	const rows = await server.rows(
		"SELECT business_id, role, token_version FROM memberships JOIN users ON users.id = user_id WHERE user_id = ?",
		made.id,
	);
	expect(rows).toEqual([
		{ business_id: made.businessId, role: "OWNER", token_version: 0 },
	]);
	expect(made.businessId).not.toBe(asha.businessId);
	expect(await server.rows("SELECT id FROM admins")).toEqual([]);
});

test("the server computes a sale's total, whatever total is sent", async () => {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const { body } = await server.ask("POST", "/api/sales", {
		as: asha,
		body: {
			id: "mine",
			total: 0,
			cost: 0,
			profit: 99,
			change: 99,
			tax: 9,
			taxRate: 9,
			createdAt: "2020-01-01T00:00:00.000Z",
			items: [{ id: "1", name: "x", quantity: 2, price: 3, cost: 1, total: 0 }],
		},
	});
	expect(body).toMatchObject({ total: 6, cost: 2, profit: 4, change: 0 });
	expect(body).not.toMatchObject({ id: "mine" });
	expect(JSON.stringify(body)).not.toContain("2020-01-01");
});

oneIn(3)(
	"a stolen database holds only digests of keys and sessions, and bcrypt hashes of passwords",
	async () => {
		const server = await openTestServer({}, {}, openPasswords());
		await server.ask("POST", register, { body: account });
		const signedIn = await server.ask("POST", "/login", { body: account });
		const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
		const made = await server.ask("POST", "/api/keys", {
			headers: { cookie },
			body: { name: "Report", monthlyBudget: 5, requestsPerMinute: 60 },
		});
		const { key } = made.body as { key: string };
		expect(key).toMatch(/^cfk_.{43}$/);
		await server.ask("GET", "/v1/models", {
			headers: { authorization: `Bearer ${key}` },
		});
		const listed = await server.ask("GET", "/api/keys", {
			headers: { cookie },
		});
		expect(listed.text).toContain(key.slice(0, 10));
		expect(listed.text).not.toContain(key);
		await server.ask("POST", "/logout", { headers: { cookie } });
		const [stored] = await server.rows("SELECT * FROM api_keys");
		expect(stored?.key_hash).toMatch(/^[0-9a-f]{64}$/);
		const [user] = await server.rows("SELECT password_hash FROM users");
		expect(user?.password_hash).toMatch(/^\$2b\$12\$/);
		const bytes = await copyOf(server);
		expect(bytes).toContain("Report");
		const secrets = [account.password, key, key.slice(11), cookie.slice(8)];
		for (const secret of secrets) expect(bytes).not.toContain(secret);
	},
);

/** Reads the database's files, or all rows of a PostgreSQL database. */
async function copyOf(server: TestServer): Promise<string> {
	if (storeKind === "postgres") return dump(server);
	const files = ["counterfoil.db", "counterfoil.db-wal"].map((name) =>
		readFileSync(join(server.settings.dataDir, name), "latin1"),
	);
	return files.join("");
}
