import { describe, expect, test } from "vitest";
import { spellLogged } from "../log/logged-args.ts";
import { derivedId } from "../protocol/ids.ts";
import {
	message,
	openTestShop,
	openTestTill,
	pushOne,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { productCreate } from "./product.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";

const soldAt = "2026-11-20T08:00:00.000Z";
const takenAt = "2026-11-20T08:30:00.000Z";

const milk = {
	id: "1",
	name: "Milk",
	quantity: 3,
	price: 50,
	cost: 40,
	productId: "milk",
};
const bread = { ...milk, id: "2", quantity: 2, price: 30, productId: "bread" };
const bag = { id: "3", name: "Bag", quantity: 1, price: 5, cost: 1 };
const service = { ...milk, isService: true };

async function openGoodsShop(options = {}): Promise<TestShop> {
	const server = await openTestShop(options);
	for (const id of ["milk", "bread"])
		await server.shop.mutate(server.caller, productCreate, {
			id,
			name: id,
			buyingPrice: 40,
			sellingPrice: 50,
			quantity: 10,
		});
	const caller = { ...server.caller, deviceId: "till-1" };
	return { ...server, caller };
}

function sell(server: TestShop, id: string, items: object[]) {
	return pushOne(server, message(`m-${id}`, "sale.create", { id, items }));
}

function take(server: TestShop, id: string, name: string, args: object) {
	const all = { id, saleId: "s", reason: "Sour", ...args };
	return pushOne(server, message(`m-${id}`, name, all, { at: takenAt }));
}

/** Goods returned to stock, by the refund or void that returned them. */
function returned({ rows }: Pick<TestTill, "rows">) {
	return rows(
		"SELECT product_id, delta, reason, sale_id, item_id FROM stock_movements WHERE delta > 0 AND reason <> 'opening' ORDER BY item_id",
	);
}

const key = { business_id: "shop-1" };
const stamp = { deleted: 0, created_at: takenAt, user_id: "user-1" };

describe("a refund", () => {
	test("a refund is stored with its lines, its total and the goods that it returns", async () => {
		const server = await openGoodsShop();
		await sell(server, "s", [milk, bread, bag]);
		await take(server, "r", "sale.refund", {
			restock: true,
			businessDay: "2026-11-19",
			items: [
				{ id: "b", itemId: "2", quantity: 0.5 },
				{ id: "a", itemId: "1", quantity: 2 },
				{ id: "c", itemId: "3", quantity: 1 },
			],
		});
		expect(await server.rows("SELECT * FROM refunds")).toEqual([
			{
				...key,
				...stamp,
				id: "r",
				sale_id: "s",
				kind: "refund",
				reason: "Sour",
				restock: 1,
				total: 120_000_000,
				cost: 101_000_000,
				business_day: "2026-11-19",
				device_id: "till-1",
				payment_method: null,
				rounding: null,
				has_payments: null,
				shift_id: null,
				version: 5,
			},
		]);
		const line = { ...key, refund_id: "r", tax: null };
		expect(
			await server.rows("SELECT * FROM refund_items ORDER BY position"),
		).toEqual([
			{ ...line, id: "b", position: 0, item_id: "2", quantity: 500_000 },
			{ ...line, id: "a", position: 1, item_id: "1", quantity: 2_000_000 },
			{ ...line, id: "c", position: 2, item_id: "3", quantity: 1_000_000 },
		]);
		const moved = {
			...key,
			...stamp,
			sale_id: "s",
			reason: "refund",
			cost: null,
			delivery_id: null,
		};
		expect(
			await server.rows(
				"SELECT * FROM stock_movements WHERE version = 5 ORDER BY item_id",
			),
		).toEqual([
			{
				...moved,
				id: derivedId("m-r", 2),
				product_id: "milk",
				delta: 2_000_000,
				item_id: "1",
				note: null,
				version: 5,
			},
			{
				...moved,
				id: derivedId("m-r", 1),
				product_id: "bread",
				delta: 500_000,
				item_id: "2",
				note: null,
				version: 5,
			},
		]);
		expect(
			await server.rows("SELECT id, quantity FROM products ORDER BY id"),
		).toEqual([
			{ id: "bread", quantity: 8_500_000 },
			{ id: "milk", quantity: 9_000_000 },
		]);
		expect(await server.rows("SELECT * FROM inbox_items")).toEqual([]);
	});

	test("a refund with a used id is refused if any recorded field differs, and is a repeat otherwise [FACT-2]", async () => {
		const server = await openGoodsShop();
		for (const id of ["s", "t"]) await sell(server, id, [milk, bread]);
		const items = [{ id: "a", itemId: "1", quantity: 1 }];
		const args = { restock: false, items };
		await take(server, "r", "sale.refund", args);
		await take(server, "v", "sale.void", { saleId: "t", restock: false });
		const before = await server.shop.digest(server.caller);
		const linesOf = async (id: string) => {
			const lines = await server.rows(
				"SELECT id, item_id, quantity FROM refund_items WHERE refund_id = ? ORDER BY position",
				id,
			);
			return lines.map(({ id, item_id: itemId, quantity }) => ({
				...{ id, itemId, quantity: Number(quantity) / 1e6 },
			}));
		};
		const others: [name: string, id: string, args: object][] = [
			["sale.refund", "r", { saleId: "t" }],
			["sale.refund", "r", { restock: true }],
			["sale.refund", "r", { items: [{ ...items[0], id: "b" }] }],
			["sale.refund", "r", { items: [{ ...items[0], itemId: "2" }] }],
			["sale.refund", "r", { items: [{ ...items[0], quantity: 2 }] }],
			["sale.refund", "r", { items: [...items, { ...items[0], id: "b" }] }],
			["sale.refund", "v", { saleId: "t" }],
			["sale.void", "v", { saleId: "s", restock: false }],
			["sale.void", "v", { saleId: "t", restock: true }],
			["sale.void", "r", { restock: false }],
			// The same lines that the void took back.
			["sale.refund", "v", { saleId: "t", items: await linesOf("v") }],
		];
		const again = async (name: string, id: string, more: object) => {
			count += 1;
			const all = { id, saleId: "s", reason: "Else", ...more };
			return pushOne(server, message(`again-${count}`, name, all));
		};
		let count = 0;
		for (const [name, id, other] of others) {
			const whole = name === "sale.refund" ? { ...args, ...other } : other;
			expect(await again(name, id, whole), JSON.stringify(other)).toMatchObject(
				{ error: { code: "id_reused", field: "id" } },
			);
		}
		for (const [name, id, same] of [
			["sale.refund", "r", args],
			["sale.void", "v", { saleId: "t", restock: false }],
		] as const)
			expect(await again(name, id, same)).toMatchObject({ status: "applied" });
		const { digest } = await server.shop.digest(server.caller);
		expect(digest).toBe(before.digest);
	});

	test.each([
		["sale.refund", { items: [{ id: "a", itemId: "1", quantity: 1 }] }],
		["sale.void", { restock: false }],
	])(
		"%s returns goods only by its default or on request, and has its own day",
		async (name, args) => {
			const server = await openGoodsShop();
			await sell(server, "s", [milk]);
			await take(server, "r", name, args);
			expect(await returned(server)).toEqual([]);
			expect(
				await server.rows("SELECT restock, business_day FROM refunds"),
			).toEqual([{ restock: 0, business_day: "2026-11-20" }]);
		},
	);

	test("a refund counts earlier refunds of the same sale, and of no other", async () => {
		const server = await openGoodsShop();
		const other = await openGoodsShop({ file: server.file, businessId: "b" });
		for (const one of [server, other]) {
			await sell(one, "s", [milk, bread]);
			await sell(one, "t", [milk]);
		}
		const all = [{ id: "a", itemId: "1", quantity: 3 }];
		await take(server, "r1", "sale.refund", { saleId: "t", items: all });
		await take(other, "r1", "sale.refund", { items: all });
		await take(other, "r2", "sale.refund", { saleId: "t", items: all });
		await take(other, "v", "sale.void", { saleId: "t" });
		const part = [{ id: "a", itemId: "1", quantity: 2 }];
		expect(
			await take(server, "r2", "sale.refund", { items: part }),
		).toMatchObject({ status: "applied" });
		expect(
			await take(server, "r3", "sale.refund", { items: part }),
		).toMatchObject({
			error: { code: "over_refunded", field: "items.0.quantity" },
		});
		const rest = [{ id: "a", itemId: "1", quantity: 1 }];
		expect(
			await take(server, "r4", "sale.refund", { items: rest }),
		).toMatchObject({ status: "applied" });
		expect(await take(server, "v", "sale.void", {})).toMatchObject({
			status: "applied",
		});
	});
});

describe("a void", () => {
	test("a void takes back what refunds left of each line, and skips lines of which nothing is left", async () => {
		const server = await openGoodsShop();
		await sell(server, "s", [milk, bread, bag]);
		await take(server, "r", "sale.refund", {
			items: [
				{ id: "a", itemId: "1", quantity: 1 },
				{ id: "b", itemId: "2", quantity: 2 },
				{ id: "c", itemId: "3", quantity: 0.999999 },
			],
		});
		await take(server, "v", "sale.void", {});
		expect(
			await server.rows(
				"SELECT kind, restock, total, cost, reason FROM refunds WHERE id = 'v'",
			),
		).toEqual([
			{
				kind: "void",
				restock: 1,
				total: 100_000_005,
				cost: 80_000_001,
				reason: "Sour",
			},
		]);
		const line = { ...key, refund_id: "v", tax: null };
		expect(
			await server.rows(
				"SELECT * FROM refund_items WHERE refund_id = 'v' ORDER BY position",
			),
		).toEqual([
			{
				...line,
				id: derivedId("m-v", 1),
				position: 0,
				item_id: "1",
				quantity: 2_000_000,
			},
			{
				...line,
				id: derivedId("m-v", 2),
				position: 1,
				item_id: "3",
				quantity: 1,
			},
		]);
		expect(await returned(server)).toEqual([
			{
				product_id: "milk",
				delta: 2_000_000,
				reason: "void",
				sale_id: "s",
				item_id: "1",
			},
		]);
	});

	test("a void ends a sale of which nothing is left", async () => {
		const server = await openGoodsShop();
		await sell(server, "s", [milk]);
		const items = [{ id: "a", itemId: "1", quantity: 3 }];
		await take(server, "r", "sale.refund", { items });
		expect(await take(server, "v", "sale.void", {})).toMatchObject({
			status: "applied",
		});
		expect(
			await server.rows("SELECT total, cost FROM refunds WHERE id = 'v'"),
		).toEqual([{ total: 0, cost: 0 }]);
		expect(await take(server, "w", "sale.void", {})).toMatchObject({
			error: { code: "already_voided", field: "saleId" },
		});
	});
});

describe("returned goods", () => {
	const one = [{ id: "a", itemId: "1", quantity: 1 }];
	const all = { restock: true, items: one };

	test("goods return only for a line that took them, whatever another sale took under the same line id", async () => {
		const server = await openGoodsShop();
		const { till, caller, rows } = await openTestTill(server);
		await till.sync();
		await till.mutate(caller, saleCreate, { id: "t", items: [milk] });
		await till.mutate(caller, saleCreate, {
			id: "s",
			items: [service, bread],
		});
		await till.mutate(caller, saleRefund, {
			...{ id: "r", saleId: "s", reason: "Late" },
			...all,
		});
		expect(await returned({ rows })).toEqual([]);
		await till.mutate(caller, saleVoid, {
			...{ id: "v", saleId: "s", reason: "Late" },
		});
		expect(await returned({ rows })).toMatchObject([
			{ product_id: "bread", delta: 2_000_000 },
		]);
		await till.sync();
		expect(await returned({ rows })).toMatchObject([
			{ product_id: "bread", delta: 2_000_000 },
		]);
	});

	test("goods return only for a line that took them, whatever another shop's sale took under the same ids", async () => {
		const server = await openGoodsShop();
		const other = await openGoodsShop({ file: server.file, businessId: "b" });
		await sell(server, "s", [service]);
		await sell(other, "s", [milk]);
		await take(server, "r", "sale.refund", all);
		expect(await returned(server)).toEqual([]);
		await take(other, "r", "sale.refund", all);
		expect(await returned(server)).toMatchObject([{ product_id: "milk" }]);
	});
});

describe("a refund dated before its sale", () => {
	test.each([
		[
			"a void dated five minutes before its sale keeps its date",
			"07:55:00.000",
			0,
		],
		[
			"a void dated earlier gets the server's date and an inbox item",
			"07:54:59.999",
			1,
		],
	])("%s", async (_, time, items) => {
		const server = await openGoodsShop();
		await sell(server, "s", [milk]);
		const at = `2026-11-20T${time}Z`;
		const args = { id: "v", saleId: "s", reason: "Sour" };
		await pushOne(server, message("m-v", "sale.void", args, { at }));
		const [voided] = await server.rows(
			"SELECT created_at, version FROM refunds",
		);
		const createdAt = items ? "2026-11-20T09:00:00.000Z" : at;
		expect(voided?.created_at).toBe(createdAt);
		const inbox = await server.rows(
			"SELECT cause, sale_id, amount, created_at FROM inbox_items",
		);
		expect(inbox).toEqual(
			[
				{
					cause: "clock",
					sale_id: "s",
					amount: 150_000_000,
					created_at: at,
				},
			].slice(0, items),
		);
		expect(
			await server.rows(
				"SELECT created_at FROM stock_movements WHERE reason = 'void'",
			),
		).toEqual([{ created_at: createdAt }]);
	});

	test("a till leaves a refund dated before its sale to the server", async () => {
		const server = await openGoodsShop();
		let now = server.env.now();
		const env = { ...server.env, now: () => now };
		const { till, caller, rows } = await openTestTill(server, { env });
		await till.sync();
		await till.mutate(caller, saleCreate, { id: "s", items: [bag] });
		now -= 3_600_000;
		await till.mutate(caller, saleVoid, {
			...{ id: "v", saleId: "s", reason: "Sour" },
		});
		expect(await rows("SELECT created_at FROM refunds")).toEqual([
			{ created_at: soldAt },
		]);
		expect(await rows("SELECT * FROM inbox_items")).toEqual([]);
	});
});

test("the business day of a sale or refund is fixed when it is made and stays wherever it is synced [MUT-5]", async () => {
	const server = await openGoodsShop();
	const one = await openTestTill(server);
	const { till, caller } = one;
	await till.sync();
	const items = [{ id: "a", itemId: "3", quantity: 1 }];
	const back = { saleId: "s", reason: "Torn" };
	for (const { mutate } of [till, server.shop])
		for (const [of, day] of [
			["", {}],
			["-early", { businessDay: "2026-11-19" }],
		] as const) {
			const id = mutate === till.mutate ? `t${of}` : `s${of}`;
			await mutate(caller, saleCreate, { id, items: [bag], ...day });
			const named = { ...back, saleId: id, ...day };
			await mutate(caller, saleRefund, { ...named, id: `r-${id}`, items });
			await mutate(caller, saleVoid, { ...named, id: `v-${id}` });
		}
	const madeBy = async ({ rows, store }: Pick<TestShop, "rows" | "store">) => {
		const log = await rows(
			"SELECT args, shape, version FROM mutations ORDER BY at, id",
		);
		const made = await store.read((tx) => spellLogged(tx, "shop-1", log));
		const all = made.map(({ args }) => JSON.parse(args as string));
		return all
			.filter(({ id }) => !["milk", "bread"].includes(id))
			.map(({ id, businessDay }) => [id, businessDay]);
	};
	const days = (id: string) =>
		[id, `r-${id}`, `v-${id}`].map((one) => [
			...[one, id.endsWith("early") ? "2026-11-19" : "2026-11-20"],
		]);
	expect((await madeBy(one)).toSorted()).toEqual(
		[...days("t"), ...days("t-early")].toSorted(),
	);
	expect((await madeBy(server)).toSorted()).toEqual(
		[...days("s"), ...days("s-early")].toSorted(),
	);
});
