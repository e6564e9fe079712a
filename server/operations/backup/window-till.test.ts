import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../../../sync/entities/count.ts";
import { customerCreate } from "../../../sync/entities/customer.ts";
import { inboxDismiss } from "../../../sync/entities/inbox.ts";
import { layawayCreate } from "../../../sync/entities/layaway.ts";
import {
	productCreate,
	productUpdate,
} from "../../../sync/entities/product.ts";
import { saleRefund } from "../../../sync/entities/refund.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { shiftClose, shiftOpen } from "../../../sync/entities/shift.ts";
import { stockAdjust } from "../../../sync/entities/stock.ts";
import { customerGet } from "../../../sync/queries/customer.ts";
import { openShop } from "../../../sync/shop.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import {
	openTestShop,
	openTestTill,
	salesOf,
	type TestTill,
	testDir,
	testLine,
} from "../../../sync/testing/shop.ts";
import { restoreFromTill } from "./restore-from-till.ts";

const dayMs = 24 * 3_600_000;
const owner = { email: "asha@example.com", name: "Asha", passwordHash: "-" };

/**
 * A shop whose older sales are half a year old, by its server, by a till that holds everything and by one with a window, which
 * holds those of today; and a till that has been away for as long, with a sale that no server knows.
 */
async function openOldShop({ sellsToday = true } = {}) {
	const server = await openTestShop({ kind: "sqlite" });
	const { shop, caller, env, store } = server;
	env.pass(-180 * dayMs);
	await shop.mutate(caller, productCreate, {
		...{ id: "milk", name: "milk", buyingPrice: 60, sellingPrice: 100 },
		quantity: 50,
	});
	await shop.mutate(caller, customerCreate, { id: "ann", name: "Ann" });
	const whole = await openTestTill(server);
	const late = await openTestTill(server);
	const one = await openTestTill(server, {
		...{ line: testLine(shop, caller, true), windowDays: 90 },
	});
	for (const { till } of [whole, late, one]) await till.sync();
	const line = { id: "1", name: "milk", productId: "milk", cost: 60 };
	const items = [{ ...line, quantity: 2, price: 100 }];
	const lent = { customerId: "ann", tenders: [{ method: "CASH", amount: 50 }] };
	const to = (one: typeof shop | TestTill["till"]) => ({
		async sell(name: string, more = {}) {
			await one.mutate(caller, saleCreate, { id: name, items, ...more });
			await one.mutate(caller, saleCreate, { id: `${name} back`, items });
			await one.mutate(caller, saleRefund, {
				...{ id: `${name} refund`, saleId: `${name} back`, reason: "Broken" },
				...{ restock: true, items: [{ id: "1", itemId: "1", quantity: 1 }] },
			});
			await one.mutate(caller, saleCreate, {
				id: `${name} lent`,
				items,
				...lent,
			});
		},
	});
	await to(shop).sell("server");
	await to(whole.till).sell("till");
	await to(one.till).sell("own");
	// The server corrects what a wrong clock says, and the till's own log keeps it.
	await whole.till.mutate(caller, saleCreate, {
		...{ id: "ahead", items, businessDay: "2027-06-01" },
	});
	for (const { till } of [whole, one, late]) await till.sync();
	const [wrong] = await server.rows("SELECT id FROM inbox_items");
	await shop.mutate(caller, inboxDismiss, {
		...{ ids: [wrong?.id as string], reason: "Its clock is right again" },
	});
	await late.sell({ milk: 3 });
	env.pass(180 * dayMs);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 300"));
	if (sellsToday) await whole.sell({ milk: 1 });
	await whole.till.sync();
	await one.till.sync();
	expect(await salesOf(one)).toHaveLength(sellsToday ? 1 : 0);
	// It keeps sums of what it has compared.
	expect(await one.till.compare()).toBe("same");
	return { server, whole, late, one };
}

test("a server that is built from a till with a window has the shop's stock and balances, and counts no older sale that another till brings twice", async () => {
	const { server, whole, late, one } = await openOldShop();
	const { env, caller } = server;
	const quantities = "SELECT id, quantity FROM products";
	const stock = await server.rows(quantities);
	const balanceOf = async (shop: typeof server.shop) =>
		(await shop.ask(caller, customerGet, { id: "ann" })).balance;
	const balance = await balanceOf(server.shop);
	expect(balance).toBe(450);

	const dataDir = join(testDir(), "data");
	await one.close();
	const restored = await restoreFromTill({
		...{ file: one.file, dataDir, env, force: false, owner },
	});
	expect(restored).toMatchObject({ sales: 4, windowDay: "2026-08-19" });
	const store = await openSqlite(join(dataDir, "counterfoil.db"));
	onTestFinished(() => store.close());
	const faults: unknown[] = [];
	const shop = openShop({ store, env, onFault: (error) => faults.push(error) });
	const rows = (sql: string) => store.read((tx) => tx.all(sql));
	const expectSame = async () => {
		expect(await rows(quantities)).toEqual(stock);
		expect(await balanceOf(shop)).toBe(balance);
	};
	await expectSame();

	const other = await openTestTill(server, {
		line: testLine(shop, caller, true),
	});
	await other.till.sync();
	expect(await other.rows(quantities)).toEqual(stock);
	whole.line.shop = shop;
	for (let times = 0; times < 2; times += 1)
		for (const { till } of [whole, other]) {
			await till.sync();
			await expectSame();
		}
	expect(faults).toEqual([]);
	expect(await rows("SELECT id FROM sales ORDER BY id")).toHaveLength(11);
	expect(await rows("SELECT id FROM refunds")).toHaveLength(3);
	for (const till of [whole, other]) {
		expect(await till.till.status()).toMatchObject({ pending: 0, rejected: 0 });
		expect(await till.rows(quantities)).toEqual(stock);
		expect(await till.till.compare()).toBe("same");
	}

	late.line.shop = shop;
	for (const { till } of [late, whole, other]) await till.sync();
	const sold = stock.map((row) => ({
		...row,
		quantity: Number(row.quantity) - 3e6,
	}));
	expect(await rows(quantities)).toEqual(sold);
	expect(await whole.rows(quantities)).toEqual(sold);
	expect(await balanceOf(shop)).toBe(balance);
	expect(await late.till.status()).toMatchObject({ pending: 0, rejected: 0 });
	expect(faults).toEqual([]);
});

test("a second server that is built on the same day, from a till with a window, has the shop's stock", async () => {
	const { server, whole, one } = await openOldShop({ sellsToday: false });
	const { env, caller } = server;
	const quantities = "SELECT id, quantity FROM products";
	const stock = await server.rows(quantities);
	const open = async (file: string) => {
		const dataDir = join(testDir(), "data");
		const from = { file, dataDir, env, force: false, owner };
		const { windowDay } = await restoreFromTill(from);
		const store = await openSqlite(join(dataDir, "counterfoil.db"));
		onTestFinished(() => store.close());
		const rows = (sql: string) => store.read((tx) => tx.all(sql));
		return { windowDay, store, rows, shop: openShop({ store, env }) };
	};
	await one.close();
	const second = await open(one.file);
	whole.line.shop = second.shop;
	await whole.till.sync();
	await second.store.write((tx) => tx.run("UPDATE businesses SET head = 600"));
	const two = await openTestTill(server, {
		...{ line: testLine(second.shop, caller, true), windowDays: 90 },
	});
	for (let times = 0; times < 2; times += 1) await two.till.sync();
	expect(await salesOf(two)).toEqual([]);
	await two.close();
	const third = await open(two.file);
	expect(third.windowDay).toBe(second.windowDay);
	expect(await third.rows(quantities)).toEqual(stock);
	expect(
		await third.rows(
			"SELECT product_id AS id, sum(delta) AS quantity FROM stock_ledger GROUP BY product_id",
		),
	).toEqual(stock);
});

test("a server that is built from a till whose history was still arriving has the shop's stock, and counts no sale that another till brings twice", async () => {
	const { server, whole } = await openOldShop();
	const { env, caller, store: old } = server;
	const moved = { id: "more", productId: "milk", delta: 5 };
	await whole.till.mutate(caller, stockAdjust, {
		...{ ...moved, reason: "received" },
	});
	await whole.till.mutate(caller, productUpdate, {
		...{ id: "milk", set: { quantity: 30 } },
	});
	for (let more = 0; more < 5; more += 1) await whole.sell({ milk: 1 });
	await whole.till.sync();
	// What was answered within the last minute may be missing in a copy.
	env.pass(120_000);
	const quantities = "SELECT id, quantity FROM products";
	const stock = await server.rows(quantities);
	const snapshotSize = { partRows: 50, blockVersions: 4 };
	const early = await openTestTill(server, {
		line: testLine(openShop({ store: old, env, snapshotSize }), caller, true),
	});
	await early.till.sync({ leavesHistory: true });
	let blocks = 0;
	await early.till.bringHistory(() => {
		blocks += 1;
		return blocks < 2;
	});
	expect((await salesOf(early)).length).toBeLessThan(6);
	expect(await early.rows("SELECT id FROM stock_movements")).toEqual([]);
	await early.close();
	// The lost server has a sale that the copy doesn't count, and a till that pulled it is the first to bring it.
	env.pass(120_000);
	await whole.sell({ milk: 1 });
	await whole.till.sync();
	const first = await openTestTill(server);
	await first.till.sync();
	const left = await server.rows(quantities);
	expect(left).not.toEqual(stock);
	const dataDir = join(testDir(), "data");
	await restoreFromTill({
		...{ file: early.file, dataDir, env, force: false, owner },
	});
	const store = await openSqlite(join(dataDir, "counterfoil.db"));
	onTestFinished(() => store.close());
	const shop = openShop({ store, env });
	const rows = (sql: string) => store.read((tx) => tx.all(sql));
	const ledger = `SELECT product_id AS id, sum(delta) AS quantity FROM stock_ledger GROUP BY product_id`;
	expect(await rows(quantities)).toEqual(stock);
	expect(await rows(ledger)).toEqual(stock);
	for (const { line, till } of [first, whole]) {
		line.shop = shop;
		for (let times = 0; times < 2; times += 1) await till.sync();
		expect(await rows("SELECT id FROM sales ORDER BY id")).toHaveLength(17);
		expect(await rows(quantities)).toEqual(left);
		expect(await rows(ledger)).toEqual(left);
	}
	expect(await whole.rows(quantities)).toEqual(left);
	expect(await whole.till.compare()).toBe("same");
});

test("a server that is built from a till whose history was still arriving corrects no stock twice by a count, and keeps no goods that were handed over", async () => {
	const { server, whole } = await openOldShop();
	const { env, caller, store: old } = server;
	const { till } = whole;
	await till.mutate(caller, countOpen, { id: "count", name: "Fridge" });
	const look = { id: "look", countId: "count", productId: "milk" };
	await till.mutate(caller, countLookAt, look);
	await till.mutate(caller, countEnter, { id: "look", counted: 20 });
	await till.mutate(caller, countClose, { id: "count" });
	const line = { id: "1", name: "milk", productId: "milk", cost: 60 };
	const goods = [{ ...line, quantity: 1, price: 100 }];
	const kept = { id: "kept", customerId: "ann", items: goods };
	await till.mutate(caller, layawayCreate, kept);
	await till.mutate(caller, saleCreate, {
		...{ id: "handed", items: goods, layawayId: "kept" },
	});
	await till.mutate(caller, shiftOpen, { id: "shift", openingFloat: 5 });
	await till.mutate(caller, shiftClose, {
		...{ id: "close", shiftId: "shift" },
		counted: [{ method: "CASH", amount: 4 }],
	});
	for (let more = 0; more < 5; more += 1) await whole.sell({ milk: 1 });
	await till.sync();
	env.pass(120_000);
	const quantities = "SELECT id, quantity FROM products";
	const stock = await server.rows(quantities);
	const items =
		"SELECT cause, amount FROM inbox_items WHERE resolution IS NULL";
	const open = await server.rows(items);
	expect(open).toEqual(
		expect.arrayContaining([{ cause: "drawer_differs", amount: -1_000_000 }]),
	);
	const snapshotSize = { partRows: 50, blockVersions: 4 };
	const early = await openTestTill(server, {
		line: testLine(openShop({ store: old, env, snapshotSize }), caller, true),
	});
	await early.till.sync({ leavesHistory: true });
	for (const facts of ["counts", "shift_reports"])
		expect(await early.rows(`SELECT id FROM ${facts}`)).toEqual([]);
	await early.close();
	const dataDir = join(testDir(), "data");
	await restoreFromTill({
		...{ file: early.file, dataDir, env, force: false, owner },
	});
	const store = await openSqlite(join(dataDir, "counterfoil.db"));
	onTestFinished(() => store.close());
	const shop = openShop({ store, env });
	const rows = (sql: string) => store.read((tx) => tx.all(sql));
	whole.line.shop = shop;
	for (let times = 0; times < 2; times += 1) await till.sync();
	expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
	expect(await rows(quantities)).toEqual(stock);
	expect(await rows(items)).toEqual(open);
	expect(await rows("SELECT state, sale_id FROM layaways")).toEqual([
		{ state: "completed", sale_id: "handed" },
	]);
	expect(await rows("SELECT closed_at IS NULL AS open FROM counts")).toEqual([
		{ open: 0 },
	]);
	const next = { ...look, id: "next" };
	await till.mutate(caller, countLookAt, next);
	await till.mutate(caller, countEnter, { id: "next", counted: 7 });
	await till.mutate(caller, countClose, { id: "count" });
	await till.sync();
	for (const quantity of [await rows(quantities), await whole.rows(quantities)])
		expect(quantity).toEqual([{ id: "milk", quantity: 7_000_000 }]);
	expect(await till.compare()).toBe("same");
	expect(await till.status()).toMatchObject({ pending: 0, rejected: 0 });
});
