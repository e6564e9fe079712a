import { describe, expect, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { categoryCreate, categoryDelete } from "../entities/category.ts";
import { productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { beginNewHistory } from "../log/history.ts";
import { ShopError } from "../protocol/errors.ts";
import { feedVersion, parseCursor } from "../protocol/protocol.ts";
import {
	addCategories,
	madeAt,
	message,
	openTestShop,
	pushOne,
	saleArgs,
} from "../testing/shop.ts";

const receivedAt = "2026-11-20T09:00:00.000Z";

describe("the log of a server", () => {
	test("the server's log holds each mutation as it arrived, with its outcome [LOG-1]", async () => {
		const server = await openTestShop();
		await server.shop.push(server.caller, {
			deviceId: "till-1",
			mutations: [
				message("m-1", "category.create", { name: "C", id: "c" }),
				message("m-2", "category.delete", { id: "none" }),
				message("m-3", "sale.create", saleArgs("s-1"), {
					at: "2099-01-01T00:00:00.000Z",
				}),
				message("m-4", 7, undefined),
				message("m-5", "category.delete", { id: "c" }, { at: "yesterday" }),
			],
		});
		const log = await server.rows("SELECT * FROM mutations ORDER BY id");
		const one = {
			...{ business_id: "shop-1", args_version: 1, at: madeAt },
			...{ received_at: receivedAt, device_at: null, user_id: "user-1" },
			...{ carrier_id: null, device_id: "till-1", error: null, shape: null },
		};
		const rejected = { status: "rejected", version: null, link: null };
		const error = (code: string, message: string, field: string) =>
			JSON.stringify({ code, message, field });
		expect(log).toEqual([
			{
				...{ ...one, id: "m-1", name: "category.create" },
				...{ args: '{"id":"c","name":"C"}', status: "applied", version: 2 },
				link: expect.any(String),
			},
			{
				...{ ...one, ...rejected, id: "m-2", name: "category.delete" },
				args: '{"id":"none"}',
				error: error("not_found", "Category not found", "id"),
			},
			{
				...{ ...one, id: "m-3", name: "sale.create", version: 3 },
				...{ at: receivedAt, device_at: "2099-01-01T00:00:00.000Z" },
				// Its row spells the arguments.
				...{ args: "", shape: expect.any(Number), status: "applied" },
				link: expect.any(String),
			},
			{
				...{ ...one, ...rejected, id: "m-4", name: "", args: "null" },
				error: error("invalid_args", "The name must be a text", "name"),
			},
			{
				...{ ...one, ...rejected, id: "m-5", name: "category.delete" },
				...{ args: '{"id":"c"}', at: receivedAt },
				error: error(
					"invalid_args",
					"Must be ISO 8601 in UTC with milliseconds",
					"at",
				),
			},
		]);
		const [business] = await server.rows("SELECT head, link FROM businesses");
		expect(business).toEqual({
			head: 3,
			link: expect.stringContaining(String(log[2]?.link)),
		});
	});

	describe.each([
		["argsVersion", "The version of the arguments must be an integer from 1"],
		["number", "A mutation's number must be an integer from 1"],
	])("%s", (field, text) => {
		test.each([0, -1, 1.5, "1", null, {}, 2 ** 53])(
			"a push item with %j as its number or version is refused and not logged",
			async (value) => {
				const server = await openTestShop();
				const args = { id: "c", name: "C" };
				const deviceId = "till";
				const { results } = await server.shop.push(server.caller, {
					deviceId,
					mutations: [
						message("m-1", "category.create", args, { [field]: value }),
					],
				});
				expect(results).toEqual([
					{
						id: "m-1",
						status: "rejected",
						error: { code: "invalid_args", message: text, field },
					},
				]);
				expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
			},
		);
	});

	test("the server defers a newer version of a mutation's arguments with the reason", async () => {
		const server = await openTestShop();
		const results = [];
		for (const [name, more] of [
			["category.create", { argsVersion: 1_000 }],
			["loyalty.redeem", {}],
		] as const)
			results.push(await pushOne(server, message(name, name, {}, more)));
		expect(results.map((result) => result?.error)).toEqual([
			{
				code: "unknown_mutation",
				message:
					"This server does not know this version of the mutation's arguments yet",
				field: "argsVersion",
			},
			{
				code: "unknown_mutation",
				message: "This server does not know this mutation yet",
			},
		]);
	});

	test("the server dates a device's new mutation no earlier than the device's last sync", async () => {
		const server = await openTestShop();
		const { shop, caller, env } = server;
		const push = (number: number, at: string, lastNumber: number) =>
			shop.push(caller, {
				deviceId: "till-1",
				lastNumber,
				mutations: [
					message(`m-${number}`, "sale.create", saleArgs(`s-${number}`), {
						...{ at, number },
					}),
				],
			});
		const early = "2026-09-01T08:00:00.000Z";
		// The device has made a second mutation by then and not pushed it.
		await push(1, madeAt, 2);
		env.pass(48 * 3_600_000);
		const now = new Date(env.now()).toISOString();
		await push(2, early, 2);
		await push(3, early, 3);
		expect(
			await server.rows("SELECT id, created_at FROM sales ORDER BY id"),
		).toEqual([
			{ id: "s-1", created_at: madeAt },
			{ id: "s-2", created_at: early },
			{ id: "s-3", created_at: now },
		]);
	});
});

describe("what a shop makes itself", () => {
	test("a server's own mutation is refused with code, message and field, and leaves no trace", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		const head = await shop.head(caller.businessId);
		const mutate = (args: unknown) =>
			shop.mutate(caller, saleCreate, args as never);
		await expect(mutate(null)).rejects.toMatchObject({
			...{ name: "ShopError", code: "invalid_args", field: "args" },
		});
		await expect(
			mutate(saleArgs("s-1", [{ quantity: "1" }])),
		).rejects.toMatchObject({
			...{ code: "invalid_args", field: "items.0.quantity" },
		});
		await expect(
			shop.mutate({ ...caller, role: "CASHIER" }, businessUpdate, {
				set: { name: "Mine" },
			}),
		).rejects.toMatchObject({
			...{ code: "forbidden", message: "Your role does not allow this" },
		});
		// The error does not tell a cashier whether the record exists.
		await expect(
			shop.mutate({ ...caller, role: "CASHIER" }, productUpdate, {
				...{ id: "none", set: { quantity: 1 } },
			}),
		).rejects.toMatchObject({ code: "forbidden" });
		await expect(
			shop.mutate(caller, categoryDelete, { id: "c" }),
		).rejects.toMatchObject({ code: "not_found", field: "id" });
		await shop.mutate(caller, categoryCreate, { id: "c", name: "C" });
		await expect(
			shop.mutate(caller, categoryCreate, { id: "c", name: "D" }),
		).rejects.toMatchObject({
			...{ code: "id_reused", field: "id" },
			message: "Another category has this id",
		});
		expect(parseCursor(await shop.head(caller.businessId))?.version).toBe(
			(parseCursor(head)?.version ?? 0) + 1,
		);
		expect(await server.rows("SELECT status FROM mutations")).toEqual([
			{ status: "applied" },
		]);
	});

	test("a server's own mutation that hits a bug throws it, and rolls back", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await server.store.write((tx) => tx.run("DROP TABLE inbox_items"));
		// It is written before the item that says that its product is unknown.
		const sold = saleArgs("s", [{ productId: "none" }]);
		const fault = await shop
			.mutate(caller, saleCreate, sold)
			.catch((error: unknown) => error);
		expect(fault).toMatchObject({
			message: expect.stringContaining("inbox_items"),
		});
		// The caller decides how to handle it.
		expect(fault).not.toBeInstanceOf(ShopError);
		expect(server.faults).toEqual([]);
		expect(await server.rows("SELECT id FROM sales")).toEqual([]);
		expect(await server.rows("SELECT id FROM mutations")).toEqual([]);
	});
});

test("a server's own sale keeps its given day, and a till's impossible day is corrected [FACT-8]", async () => {
	const server = await openTestShop();
	const { shop, caller } = server;
	const businessDay = "2020-01-01";
	const onDay = (id: string) => ({ ...saleArgs(id), businessDay });
	await shop.mutate(caller, saleCreate, onDay("own"));
	await pushOne(server, message("m-1", "sale.create", onDay("till")));
	expect(
		await server.rows("SELECT id, business_day FROM sales ORDER BY id"),
	).toEqual([
		{ id: "own", business_day: businessDay },
		{ id: "till", business_day: "2026-11-20" },
	]);
	expect(await server.rows("SELECT sale_id, cause FROM inbox_items")).toEqual([
		{ sale_id: "till", cause: "clock" },
	]);
});

test("a refund of a missing sale is deferred in a restored shop and rejected in any other [EPOCH-2]", async () => {
	const server = await openTestShop();
	const refund = (id: string) =>
		pushOne(
			server,
			message(id, "sale.void", { id, saleId: "gone", reason: "Mistake" }),
		);
	expect(await refund("r-1")).toMatchObject({
		...{ status: "rejected", error: { code: "not_found", field: "saleId" } },
	});
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	expect(await refund("r-2")).toMatchObject({
		...{ status: "deferred", error: { code: "unknown_record" } },
	});
	await expect(
		server.shop.mutate(server.caller, saleVoid, {
			...{ id: "r-3", saleId: "gone", reason: "Mistake" },
		}),
	).rejects.toMatchObject({ code: "not_found" });
});

test("a mutation that names what a deferred one before it makes is deferred too, in the same push or a later one [PUSH-17]", async () => {
	const server = await openTestShop();
	const { shop, caller } = server;
	const made = (number: number, name: string, args: object, more = {}) => ({
		...message(`m-${number}`, name, args),
		...{ number, ...more },
	});
	const sold = (argsVersion: number) =>
		made(1, "sale.create", saleArgs("s"), { argsVersion });
	const voided = (number: number, saleId: string) =>
		made(number, "sale.void", { id: `v-${saleId}`, saleId, reason: "Mistake" });
	const push = async (...mutations: ReturnType<typeof made>[]) => {
		const { results } = await shop.push(caller, {
			...{ deviceId: "till-1", lastNumber: 3, settled: 0, mutations },
		});
		return results.map(({ status, error }) => error?.code ?? status);
	};
	const newer = 1_000;
	expect(await push(sold(newer), voided(2, "s"))).toEqual([
		...["unknown_mutation", "unknown_record"],
	]);
	expect(await push(voided(3, "gone"))).toEqual(["unknown_record"]);
	// What is offered again has no number.
	const { number: _, ...again } = made(0, "category.create", {
		...{ id: "tea", name: "Tea" },
	});
	expect(await push(again as never, voided(3, "gone"))).toEqual([
		...["applied", "unknown_record"],
	]);
	const { number: __, ...alone } = { ...voided(0, "gone"), id: "alone" };
	expect(await push(alone as never)).toEqual(["unknown_record"]);
	expect(await push(sold(1), voided(2, "s"), voided(3, "gone"))).toEqual([
		...["applied", "applied", "not_found"],
	]);
	expect(await push(alone as never)).toEqual(["not_found"]);
});

describe("a push of which nothing is applied", () => {
	test("a push that is not applied has a result for each item, whatever the items are [LOSS-2] [DEV-4]", async () => {
		const { shop, caller } = await openTestShop();
		const mutations = [message("m-1", "sale.create", {}), null, 7, { id: 7 }];
		await shop.push(caller, {
			deviceId: "till-1",
			lastNumber: 3,
			settled: 0,
			settles: 3,
			mutations: [],
		});
		const results = (code: string, text: string) =>
			["m-1", null, null, null].map((id) => ({
				...{ id, status: "deferred", error: { code, message: text } },
			}));
		expect(
			await shop.push(caller, { deviceId: "till-1", lastNumber: 2, mutations }),
		).toEqual({
			results: results(
				"forked",
				"The server knows another past of this device",
			),
			forked: true,
			businessId: "shop-1",
			epoch: expect.any(String),
			serverNow: receivedAt,
			backedUpTo: 0,
			feed: feedVersion,
		});
		const { results: lost } = await shop.push(caller, {
			...{ deviceId: "till-1", lastNumber: 9, settled: 9, mutations },
		});
		expect(lost).toEqual(
			results(
				"history_lost",
				"The server has lost mutations that it had answered to this device",
			),
		);
	});

	test("a push that reveals a lost history gets the feed from its start, with the requested rows [LOSS-2]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addCategories(server, 8);
		const push = (limit: number | undefined) =>
			shop.push(caller, {
				...{ deviceId: "till-1", settled: 9, mutations: [], limit },
				cursor: "gone.7",
			});
		for (const [limit, hasMore] of [
			[undefined, false],
			[0, false],
			[4, true],
		] as const) {
			const answer = await push(limit);
			expect(answer).toMatchObject({ lastNumber: 0, reset: true, hasMore });
			expect(answer.changes?.[0]).toMatchObject({ entity: "business" });
		}
		expect(
			await server.rows("SELECT key FROM meta ORDER BY key"),
		).toContainEqual({ key: "restored_at" });
	});
});

describe("the answer to a push", () => {
	test("the answer to a push has no page unless a cursor and rows were requested [PUSH-14] [CUR-2]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		await addCategories(server, 3);
		const cursor = await shop.head(caller.businessId);
		const mutations = [
			message("m-1", "category.create", { id: "c", name: "C" }),
		];
		const bare = [
			...["backedUpTo", "businessId", "epoch", "feed"],
			...["results", "serverNow"],
		];
		const keysOf = async (request: object) =>
			Object.keys(
				await shop.push(caller, { mutations: [], ...request }),
			).sort();
		for (const request of [{}, { cursor, limit: 0 }, { mutations }])
			expect(await keysOf(request)).toEqual(bare);
		expect(await keysOf({ deviceId: "till-1" })).toEqual(
			[...bare, "prefix"].sort(),
		);
		const paged = [...bare, "changes", "cursor", "hasMore"].sort();
		expect(await keysOf({ cursor })).toEqual(paged);
		expect(await keysOf({ cursor, mutations })).toEqual(paged);
		const { changes } = await shop.push(caller, { cursor, mutations });
		expect(changes).toMatchObject([{ entity: "category", id: "c" }]);
		expect(await keysOf({ cursor: "" })).toEqual(paged);
		expect(await keysOf({ cursor: "gone.7" })).toEqual(
			[...paged, "reset"].sort(),
		);
	});

	test("an empty push without a device learns that its cursor is void, and saves nothing [PUSH-13]", async () => {
		const server = await openTestShop();
		const { shop, caller } = server;
		const { epoch } = await shop.digest(caller);
		const ask = { cursor: `${epoch}.99` };
		const answer = await shop.push(caller, { mutations: [], ...ask });
		expect(answer).toMatchObject({ reset: true, results: [] });
		expect(answer).not.toHaveProperty("lastNumber");
		const key = { key: "restored_at" };
		expect(await server.rows("SELECT key FROM meta")).not.toContainEqual(key);
		const mutations = [message("m-1", "sale.create", saleArgs("s-1"))];
		expect(await shop.push(caller, { mutations, ...ask })).toMatchObject({
			...{ reset: true, lastNumber: 0 },
			results: [{ status: "deferred", error: { code: "history_lost" } }],
		});
		expect(await server.rows("SELECT key FROM meta")).toContainEqual(key);
	});

	test("the answer to a push says up to which version a backup covers the shop [BACKUP-1]", async () => {
		const { shop, caller, store } = await openTestShop();
		expect(await shop.pull(caller, {})).toMatchObject({ backedUpTo: 0 });
		await store.write((tx) => tx.run("UPDATE businesses SET backed_up_to = 1"));
		expect(await shop.pull(caller, {})).toMatchObject({ backedUpTo: 1 });
		expect(await shop.push(caller, { mutations: [] })).toMatchObject({
			backedUpTo: 1,
		});
	});

	test("the answer to a push names the caller's device if the push names none", async () => {
		const server = await openTestShop();
		const caller = { ...server.caller, deviceId: "session" };
		for (const [id, deviceId] of [
			["a", undefined],
			["b", "till-1"],
		] as const)
			await server.shop.push(caller, {
				mutations: [message(id, "category.create", { id, name: id })],
				deviceId,
			});
		expect(
			await server.rows("SELECT id, device_id FROM mutations ORDER BY id"),
		).toEqual([
			{ id: "a", device_id: "session" },
			{ id: "b", device_id: "till-1" },
		]);
	});
});
