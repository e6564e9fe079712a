import { expect, test } from "vitest";
import { toIso } from "../../../sync/protocol/clock.ts";
import { exampleMessages } from "../../../sync/testing/shop.ts";
import { stopClocks } from "../../testing/clocks.ts";
import { fill } from "../../testing/operations.ts";
import {
	openTestServer,
	type TestServer,
	type TestUser,
} from "../../testing/server.ts";

const at = "2026-11-20T08:00:00.000Z";
const path = "/api/sync";

const sale = (id: string, more: object = {}) => ({
	id,
	items: [{ id: "1", name: "x", quantity: 1, price: 2, cost: 1 }],
	...more,
});

async function push(
	server: TestServer,
	as: TestUser,
	mutations: unknown[],
	more: object = {},
) {
	const answer = await server.ask("POST", path, {
		as,
		body: { mutations, ...more },
	});
	return {
		...answer,
		results: (answer.body as { results: Record<string, unknown>[] }).results,
	};
}

async function twoFilled() {
	const server = await openTestServer();
	const asha = await server.addUser("Asha");
	const baraka = await server.addUser("Baraka");
	await fill(server, baraka, "CANARY");
	return { server, asha, baraka };
}

test("another business's ids are free to use, and its records stay unchanged [BIZ-3]", async () => {
	const { server, asha, baraka } = await twoFilled();
	const [theirs] = await server.rows(
		"SELECT id FROM mutations WHERE business_id = ? AND name = 'sale.create'",
		baraka.businessId,
	);
	const before = await server.shop.blocks(baraka.caller);
	const id = theirs?.id as string;
	const mutation = {
		id,
		name: "sale.create",
		args: sale("sale", {
			items: [{ ...sale("").items[0], name: "Mine", productId: "product" }],
		}),
		at,
	};
	const { results, text } = await push(server, asha, [mutation], {
		deviceId: "till",
		cursor: "",
	});
	expect(results).toMatchObject([{ id, status: "applied" }]);
	expect(results[0]).not.toHaveProperty("duplicate");
	expect(text).not.toContain("CANARY");
	expect(await server.shop.blocks(baraka.caller)).toEqual(before);
	const own = await server.ask("GET", "/api/sales/sale", { as: asha });
	expect(own.body).toMatchObject({ items: [{ name: "Mine" }] });
});

test("a reused id with other content is rejected, not recorded, and changes nothing [PUSH-4]", async () => {
	const { server, asha } = await twoFilled();
	const first = { id: "m1", name: "sale.create", args: sale("s1"), at };
	await push(server, asha, [first]);
	const before = await server.shop.blocks(asha.caller);
	const log = await server.rows("SELECT * FROM mutations");
	for (const other of [
		{ ...first, args: sale("s1", { notes: "other" }) },
		{ ...first, name: "sale.void" },
		{ ...first, args: sale("s2") },
		{ ...first, args: null },
	]) {
		const { results } = await push(server, asha, [other]);
		expect(results).toMatchObject([
			{ id: "m1", status: "rejected", error: { code: "id_reused" } },
		]);
	}
	// A sale's id is its own, whichever mutation brings it.
	const { results } = await push(server, asha, [
		{ ...first, id: "m2", args: sale("s1", { notes: "other" }) },
	]);
	expect(results).toMatchObject([
		{ status: "rejected", error: { code: "id_reused" } },
	]);
	expect(await server.shop.blocks(asha.caller)).toEqual(before);
	expect(await server.rows("SELECT * FROM mutations WHERE id <> 'm2'")).toEqual(
		log,
	);
	const again = await push(server, asha, [first]);
	expect(again.results).toMatchObject([{ status: "applied", duplicate: true }]);
});

/** Fields that the server assigns and no client may set. */
const assigned = {
	businessId: "BARAKA",
	business_id: "BARAKA",
	userId: "BARAKA",
	role: "OWNER",
	total: 0,
	profit: 1e6,
	version: 9e9,
	deleted: true,
	createdAt: "1999-01-01T00:00:00.000Z",
	updatedAt: "1999-01-01T00:00:00.000Z",
	isActive: true,
	passwordHash: "x",
	constructor: { prototype: { polluted: 1 } },
};

test("a mutation with an unknown field is rejected alone, for any field and mutation [MUT-4]", async () => {
	const { server, asha, baraka } = await twoFilled();
	const before = [
		await server.shop.blocks(asha.caller),
		await server.shop.blocks(baraka.caller),
	];
	const batch: string[] = [];
	for (const { name, args } of exampleMessages()) {
		const extras = Object.entries(assigned)
			.filter(([field]) => !(field in args))
			.map(
				([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`,
			);
		const bare = JSON.stringify(args).slice(1);
		// As text, since an object literal can't have the key `__proto__`.
		for (const extra of [
			...extras,
			'"__proto__":{"polluted":1,"role":"OWNER"}',
		])
			batch.push(
				`{"id":"m${batch.length}","name":"${name}","at":"${at}","args":{${extra},${bare}}`,
			);
		if ("set" in args)
			for (const extra of extras.filter((it) => !it.startsWith('"isActive"')))
				batch.push(
					`{"id":"m${batch.length}","name":"${name}","at":"${at}","args":${JSON.stringify(args).replace('"set":{', `"set":{${extra},`)}}`,
				);
	}
	const { status, body, text } = await server.ask("POST", path, {
		as: asha,
		body: `{"mutations":[${batch.join()}]}`.replaceAll(
			"BARAKA",
			baraka.businessId,
		),
	});
	expect(status).toBe(200);
	const { results } = body as { results: { id: string; status: string }[] };
	expect(results).toHaveLength(batch.length);
	expect(batch.length).toBeGreaterThan(150);
	for (const [i, result] of results.entries())
		expect([batch[i], result]).toMatchObject([
			batch[i],
			{ status: "rejected", error: { code: "invalid_args" } },
		]);
	expect(text).not.toContain("CANARY");
	expect([
		await server.shop.blocks(asha.caller),
		await server.shop.blocks(baraka.caller),
	]).toEqual(before);
	expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("a sender can't choose a mutation's author or time of receipt [PERM-2]", async () => {
	const { server, asha, baraka } = await twoFilled();
	const forged = {
		id: "m1",
		name: "sale.create",
		args: sale("s1"),
		at: "2999-01-01T00:00:00.000Z",
		userId: baraka.id,
		businessId: baraka.businessId,
		status: "rejected",
		version: 1e9,
		receivedAt: at,
	};
	const elsewhere = await push(server, asha, [forged], {
		businessId: baraka.businessId,
	});
	expect(elsewhere).toMatchObject({
		status: 403,
		body: { error: "wrong_business" },
	});
	const { results } = await push(server, asha, [forged], {
		userId: baraka.id,
		epoch: "mine",
	});
	expect(results).toMatchObject([{ status: "applied" }]);
	const [row] = await server.rows("SELECT * FROM mutations WHERE id = 'm1'");
	expect(row).toMatchObject({
		business_id: asha.businessId,
		user_id: asha.id,
	});
	expect(Date.parse(row?.at as string)).toBeLessThanOrEqual(Date.now());
});

const huge = "9".repeat(400);
const letters = { prefix: expect.stringMatching(/^[A-Z]{4}$/) };
/** Raw bodies with the expected status and part of the answer. */
const envelopes: [string, number, object?][] = [
	['{"mutations":[]}', 200, { results: [] }],
	[`{"mutations":[${Array(1_000).fill("{}")}]}`, 200],
	[`{"mutations":[${Array(1_001).fill("{}")}]}`, 413],
	[`{"mutations":[${Array(100_000).fill("1")}]}`, 413],
	['{"mutations":[],"cursor":""}', 200, { hasMore: false }],
	['{"mutations":[],"cursor":"-1"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.-1"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.1.5"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.1e999"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.9007199254740992"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.999999999999999"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.0"}', 200, { hasMore: false }],
	['{"mutations":[],"cursor":"other.1"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"EPOCH.1\' OR 1=1 --"}', 200, { reset: true }],
	['{"mutations":[],"cursor":"\\u0000.1"}', 200, { reset: true }],
	[`{"mutations":[],"cursor":"${"a".repeat(201)}"}`, 400],
	['{"mutations":[],"cursor":1}', 400],
	['{"mutations":[],"cursor":-1}', 400],
	['{"mutations":[],"cursor":1e999}', 400],
	['{"mutations":[],"cursor":null}', 400],
	['{"mutations":[],"cursor":["EPOCH.1"]}', 400],
	['{"mutations":[],"cursor":{"epoch":"EPOCH","version":1}}', 400],
	['{"mutations":[],"cursor":"","limit":0}', 200, { results: [] }],
	['{"mutations":[],"settled":-1}', 400],
	['{"mutations":[],"settles":1.5}', 400],
	['{"mutations":[],"resumesAfter":null}', 400],
	['{"mutations":[],"limit":-1}', 400],
	['{"mutations":[],"limit":1.5}', 400],
	['{"mutations":[],"limit":1e999}', 400],
	['{"mutations":[],"limit":"1"}', 400],
	['{"mutations":[],"cursor":"","limit":9007199254740991}', 200],
	['{"mutations":[],"lastNumber":-1}', 400],
	['{"mutations":[],"lastNumber":1e999}', 400],
	['{"mutations":[],"lastNumber":9007199254740992}', 400],
	[`{"mutations":[],"lastNumber":${huge}}`, 400],
	['{"mutations":[],"deviceId":""}', 400],
	['{"mutations":[],"deviceId":" "}', 400],
	['{"mutations":[],"deviceId":7}', 400],
	['{"mutations":[],"deviceId":"a\\u0000b"}', 400],
	['{"mutations":[],"deviceId":"\\ud800"}', 400],
	[`{"mutations":[],"deviceId":"${"a".repeat(65)}"}`, 400],
	['{"mutations":[],"businessId":"none"}', 403],
	['{"mutations":[],"businessId":""}', 400],
	['{"mutations":[],"businessId":null}', 400],
	['{"mutations":[],"businessId":["none"]}', 400],
	[`{"mutations":[],"businessId":"${"a".repeat(65)}"}`, 400],
	['{"mutations":[],"deviceId":"d1","prefix":"<img>"}', 200, letters],
	['{"mutations":[],"deviceId":"d2","prefix":"=1+1"}', 200, letters],
	['{"mutations":{"length":1,"0":{}}}', 400],
];

test("a malformed push envelope is refused or harmless, and never a server fault", async () => {
	const { server, asha } = await twoFilled();
	const { body } = await server.ask("GET", `${path}?digest=1`, { as: asha });
	const { epoch } = body as { epoch: string };
	const before = await server.shop.blocks(asha.caller);
	for (const [sent, status, answer = {}] of envelopes) {
		const told = await server.ask("POST", path, {
			as: asha,
			body: sent.replaceAll("EPOCH", epoch),
		});
		const row = sent.slice(0, 80);
		expect({ row, status: told.status, body: told.body }).toMatchObject({
			row,
			status,
			body: answer,
		});
		if (status >= 400)
			expect(Object.keys(told.body as object)).toEqual(["error"]);
		expect(told.text).not.toContain("CANARY");
	}
	expect(await server.shop.blocks(asha.caller)).toEqual(before);
	for (const query of [
		"cursor=-1",
		"cursor=1.5",
		"cursor=1e999",
		`cursor=${epoch}.9007199254740992`,
		`cursor=${epoch}.1&cursor=${epoch}.2`,
		"cursor[epoch]=1",
		"cursor=%00",
		"limit=-1",
		"limit=0",
		"limit=1e999",
		"limit=NaN",
		"limit=1&limit=2",
		"limit=9007199254740993",
		"digest=1&digest=1",
	]) {
		const told = await server.ask("GET", `${path}?${query}`, { as: asha });
		expect([query, told.status]).toEqual([query, 200]);
		expect(told.text).not.toContain("CANARY");
	}
	for (const [query, status] of [
		["businessId=none", 403],
		["businessId=", 400],
		["businessId=none&businessId=none", 400],
	]) {
		const told = await server.ask("GET", `${path}?${query}`, { as: asha });
		expect([query, told.status]).toEqual([query, status]);
	}
});

test("malformed items of a batch are rejected in their places, and the rest is applied [PUSH-9]", async () => {
	const { server, asha } = await twoFilled();
	const name = "category.create";
	const odd = [
		null,
		1,
		"x",
		[],
		{},
		{ id: "" },
		{ id: "a".repeat(65), name },
		{ id: "a\u0000", name },
		{ id: 7, name },
		{ id: ["m"], name },
		{ id: "o1", name: 7, args: {}, at },
		{ id: "o2", name, args: null, at },
		{ id: "o3", name, args: [], at },
		{ id: "o4", name, args: { id: "c", name: "C" } },
		{ id: "o5", name, args: { id: "c", name: "C" }, at: 7 },
		{ id: "o6", name, args: { id: "c", name: "C" }, at: "yesterday" },
		{ id: "o7", name, args: { id: "c", name: "C" }, at: "2026-11-20" },
	];
	const { results } = await push(server, asha, [
		...odd,
		{ id: "good", name, args: { id: "good", name: "Good" }, at },
		{ id: "later", name: "__proto__", args: {}, at },
		{ id: "latest", name: "constructor", args: {}, at },
	]);
	expect(results.slice(0, odd.length).map(({ status }) => status)).toEqual(
		odd.map(() => "rejected"),
	);
	expect(results.slice(odd.length)).toMatchObject([
		{ id: "good", status: "applied" },
		{ id: "later", status: "deferred", error: { code: "unknown_mutation" } },
		{ id: "latest", status: "deferred", error: { code: "unknown_mutation" } },
	]);
	const { body } = await server.ask("GET", "/api/categories", { as: asha });
	expect(body).toMatchObject([{ id: "good" }]);
});

test("no date from a till keeps a sale out of today's report and the inbox [CLOCK-4] [FACT-8]", async () => {
	stopClocks();
	const { server, asha } = await twoFilled();
	const cashier = await server.addUser("Chege", {
		businessId: asha.businessId,
		role: "CASHIER",
	});
	const now = toIso(Date.now());
	const days = ["2099-12-31", "1970-01-01", "0001-01-01", "9999-12-31"];
	const moments = ["1970-01-01T12:00:00.000Z", "0000-01-01T12:00:00.000Z"];
	const attempts = [
		...days.map((businessDay) => ({ at: now, businessDay })),
		...moments.map((at) => ({ at, businessDay: undefined })),
		...moments.map((at) => ({ at, businessDay: "1970-01-01" })),
	];
	const sales = attempts.map(({ at, businessDay }, i) => ({
		id: `m-${i}`,
		name: "sale.create",
		at,
		args: {
			...sale(`s-${i}`),
			...(businessDay === undefined ? {} : { businessDay }),
		},
	}));
	const voided = {
		id: "m-void",
		name: "sale.void",
		at: "1970-01-01T12:00:00.000Z",
		args: {
			id: "v",
			saleId: "s-0",
			reason: "x",
			restock: false,
			businessDay: "1970-01-01",
		},
	};
	const { body } = await server.ask("POST", "/api/sync", {
		as: cashier,
		body: { mutations: [...sales, voided] },
	});
	expect(body).toMatchObject({
		results: Array(attempts.length + 1).fill({ status: "applied" }),
	});
	const count = attempts.length - 1;
	const dashboard = await server.ask("GET", "/api/dashboard", { as: asha });
	expect(dashboard.body).toMatchObject({
		today: { salesCount: count, revenue: count * 2 },
	});
	const inbox = await server.ask("GET", "/api/inbox", { as: asha });
	expect(inbox.body).toMatchObject({
		items: Array(attempts.length + 1).fill({
			cause: "clock",
			moneyAtStake: 2,
		}),
	});
});
