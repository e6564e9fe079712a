import { expect, test } from "vitest";
import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../entities/count.ts";
import { customerCreate } from "../entities/customer.ts";
import { inboxDismiss, inboxReopen } from "../entities/inbox.ts";
import { productCreate } from "../entities/product.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { sale, saleCreate } from "../entities/sale.ts";
import { shiftOpen } from "../entities/shift.ts";
import { beginNewHistory } from "../log/history.ts";
import { ShopError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import { customerGet } from "../queries/customer.ts";
import { eraseRow, insertRow, readRow, type StoredRow } from "../rows/rows.ts";
import { openShop } from "../shop.ts";
import {
	copyDatabase,
	openTestShop,
	openTestTill,
	salesOf,
	type TestShop,
	type TestTill,
	testLine,
} from "../testing/shop.ts";
import type { DifferenceReport } from "./compare.ts";
import { findDifferences } from "./verify.ts";

const dayMs = 24 * 3_600_000;
/** With the slack, the first day of the window. */
const firstDay = "2026-08-19";

function sellOn(
	{ shop, caller }: TestShop,
	id: string,
	args: Record<string, unknown> = {},
) {
	const line = { id: "1", name: "milk", quantity: 2, price: 100, cost: 60 };
	return shop.mutate(caller, saleCreate, {
		id,
		items: [{ ...line, productId: "milk" }],
		...args,
	});
}

/**
 * A server whose older sales are half a year old and stand in the first block of versions, with others of today in the
 * second; and a line of tills that join by snapshots.
 */
async function openOldShop(before = async (_: TestShop) => {}) {
	const server = await openTestShop();
	const { shop, caller, env, store } = server;
	env.pass(-180 * dayMs);
	for (const id of ["milk", "bread"])
		await shop.mutate(caller, productCreate, {
			...{ id, name: id, buyingPrice: 60, sellingPrice: 100, quantity: 50 },
		});
	await shop.mutate(caller, customerCreate, { id: "ann", name: "Ann" });
	for (const id of ["old-1", "old-2", "old-3"]) await sellOn(server, id);
	await sellOn(server, "lent", {
		customerId: "ann",
		tenders: [{ method: "CASH", amount: 50 }],
	});
	await refund(server, "old-3");
	await before(server);
	env.pass(180 * dayMs);
	await store.write((tx) => tx.run("UPDATE businesses SET head = 300"));
	for (const id of ["new-1", "new-2"]) await sellOn(server, id);
	const line = () =>
		testLine(openShop({ store, env, snapshotSize }), caller, true);
	return { server, line };
}

const unknownItems = (productId: string) => [
	{ id: "1", name: "?", quantity: 1, price: 1, cost: 0, productId },
];
const snapshotSize = { partRows: 2, blockVersions: 4 };

async function refund({ shop, caller, env }: TestShop, saleId: string) {
	const id = newId(env);
	const args = { id, saleId, reason: "Returned", restock: true };
	const items = [{ id: "1", itemId: "1", quantity: 1 }];
	await shop.mutate(caller, saleRefund, { ...args, items });
	return id;
}

async function openWindowed(windowDays: number | undefined = 90) {
	const { server, line } = await openOldShop();
	const reports: DifferenceReport[] = [];
	const one = await openTestTill(server, {
		...{ line: line(), windowDays },
		onDifference: (report) => reports.push(report),
	});
	await one.till.sync();
	return { server, line, one, reports };
}

const quantities = (of: TestTill | TestShop) =>
	of.rows("SELECT id, quantity FROM products ORDER BY id");

const isLedgerRight = async ({ rows }: TestTill) =>
	(
		await rows(`SELECT products.id FROM products WHERE quantity <>
     (SELECT coalesce(sum(delta), 0) FROM stock_ledger WHERE product_id = products.id)
     + coalesce((SELECT delta FROM older_stock WHERE product_id = products.id), 0)`)
	).length === 0;

async function expectRightStock(server: TestShop, one: TestTill) {
	expect(await quantities(one)).toEqual(await quantities(server));
	expect(await isLedgerRight(one)).toBe(true);
}

test("a till that joins with a window brings no sale from before it, and its stock and balances are the server's [WINDOW-1] [WINDOW-2]", async () => {
	const { server, one } = await openWindowed();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	expect(await one.rows("SELECT id FROM refunds")).toEqual([]);
	expect((await one.till.status()).hasHistory).toBe(true);
	await expectRightStock(server, one);
	const balance = { id: "ann" };
	const asked = await one.till.ask(one.caller, customerGet, balance);
	expect(asked.balance).toBe(150);
	expect(asked).toEqual(
		await server.shop.ask(server.caller, customerGet, balance),
	);
	expect(
		await one.rows("SELECT window_version, window_day FROM replica"),
	).toEqual([{ window_version: 256, window_day: firstDay }]);
});

test("a till that holds everything lets older sales go once it has a window, as days pass [WINDOW-1] [WINDOW-2]", async () => {
	const { server, line } = await openOldShop();
	const whole = await openTestTill(server, { line: line() });
	await whole.till.sync();
	expect(await salesOf(whole)).toHaveLength(6);
	await whole.close();
	const one = await openTestTill(server, {
		...{ file: whole.file, line: line(), windowDays: 90 },
	});
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await expectRightStock(server, one);
	for (const table of ["sale_items", "refund_items"])
		expect(await one.rows(`SELECT 1 FROM ${table}`)).toHaveLength(
			table === "sale_items" ? 2 : 0,
		);

	await one.sell({ milk: 1 });
	await one.till.sync();
	await server.store.write((tx) => tx.run("UPDATE businesses SET head = 600"));
	server.env.pass(100 * dayMs);
	const today = await one.sell({ milk: 1 });
	await one.till.sync();
	expect(await salesOf(one)).toEqual([today]);
	await expectRightStock(server, one);
});

test("a till keeps older sales that are refunded later, wait to be sorted out, or belong to an open shift, and what it has not sent [WINDOW-2]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		await sellOn(server, "unknown", { items: unknownItems("gone") });
		const { shop, caller } = server;
		const shift = { id: "shift", drawerId: "drawer", openingFloat: 0 };
		await shop.mutate(caller, shiftOpen, shift);
		await sellOn(server, "open", { shiftId: "shift" });
	});
	const { caller, env } = server;
	const back = await refund(server, "old-1");
	const needed = ["new-1", "new-2", "old-1", "open", "unknown"];

	const joined = await openTestTill(server, { line: line(), windowDays: 90 });
	await joined.till.sync();
	expect(await salesOf(joined)).toEqual(needed);
	expect(await joined.rows("SELECT id FROM refunds")).toEqual([{ id: back }]);
	await expectRightStock(server, joined);

	const whole = await openTestTill(server, { line: line() });
	await whole.till.sync();
	const pending = newId(env);
	await whole.till.mutate(caller, saleVoid, {
		...{ id: pending, saleId: "old-2", reason: "Wrong", restock: true },
	});
	whole.line.push = () => Promise.reject(new Error("No push"));
	await whole.close();
	const one = await openTestTill(server, {
		...{ file: whole.file, line: line(), windowDays: 90 },
	});
	await one.till.bringHistory();
	expect(await salesOf(one)).toEqual([...needed, "old-2"].toSorted());
	await one.till.sync();
	await expectRightStock(server, one);
});

test("older sales are stored a few at a time, each with its refunds, and the window moves once all are here [WINDOW-1]", async () => {
	const needed = Array.from(
		{ length: 120 },
		(_, n) => `unknown-${String(n).padStart(3, "0")}`,
	);
	const { server, line } = await openOldShop(async (server) => {
		for (const id of needed)
			await sellOn(server, id, { items: unknownItems("gone") });
		for (const id of needed) await refund(server, id);
	});
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	const write = one.store.write.bind(one.store);
	const seen: { sales: number; refunds: number; day: unknown }[] = [];
	one.store.write = async (work, options) => {
		const result = await write(work, options);
		const count = async (table: string) =>
			(await one.rows(`SELECT 1 FROM ${table}`)).length;
		const [replica] = await one.rows("SELECT window_day FROM replica");
		seen.push({
			sales: await count("sales WHERE id LIKE 'unknown-%'"),
			refunds: await count("refunds WHERE sale_id LIKE 'unknown-%'"),
			day: replica?.window_day,
		});
		return result;
	};
	await one.till.sync();
	const steps = seen
		.filter(({ sales }, i) => sales !== (seen[i - 1]?.sales ?? 0))
		.map(({ sales, refunds, day }) => [sales, refunds, day]);
	expect(steps).toEqual([
		[50, 50, null],
		[100, 100, null],
		[120, 120, firstDay],
	]);
	await expectRightStock(server, one);
	expect(await one.till.compare()).toBe("same");
});

test("while somebody sells, a till asks for older sales once, and lets none go before it has asked again [WINDOW-1]", async () => {
	const { server, line } = await openOldShop();
	const whole = await openTestTill(server, { line: line() });
	await whole.till.sync();
	await whole.close();
	const one = await openTestTill(server, {
		...{ file: whole.file, line: line(), windowDays: 90 },
	});
	const asked = countAsked(one);
	const sellAndSync = async () => {
		await one.sell({ milk: 1 });
		await one.till.sync({ leavesHistory: true });
		await one.till.bringHistory(() => false);
	};
	for (let n = 0; n < 3; n += 1) await sellAndSync();
	expect(asked.count).toBe(1);
	expect(await salesOf(one)).toEqual(expect.arrayContaining(["old-1"]));
	await one.till.bringHistory();
	expect(asked.count).toBe(2);
	expect(await salesOf(one)).not.toContain("old-1");
	await sellAndSync();
	await one.till.bringHistory();
	expect(asked.count).toBe(2);
	await expectRightStock(server, one);
});

test("a till that opens again on the same day asks for no older sales, and for all once rows were put right [WINDOW-1]", async () => {
	const { server, line, one } = await openWindowed();
	await one.close();
	const opened = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90 },
	});
	const asked = countAsked(opened);
	await opened.till.sync();
	expect(asked.count).toBe(0);
	await opened.store.write((tx) =>
		tx.run("UPDATE products SET selling_price = 1 WHERE id = 'milk'"),
	);
	expect(await opened.till.compare()).toBe("healed");
	await opened.till.sync();
	expect(asked.count).toBe(1);
	await opened.close();
	server.env.pass(dayMs);
	const nextDay = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90 },
	});
	const askedThen = countAsked(nextDay);
	await nextDay.till.sync();
	expect(askedThen.count).toBe(1);
});

function countAsked({ line }: TestTill): { count: number } {
	const { olderSales } = line;
	const asked = { count: 0 };
	line.olderSales = (request) => {
		asked.count += 1;
		return olderSales?.(request) as ReturnType<NonNullable<typeof olderSales>>;
	};
	return asked;
}

test("a refund of an older sale by another till brings the sale along [WINDOW-2]", async () => {
	const { server, one } = await openWindowed();
	const back = await refund(server, "old-2");
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2", "old-2"]);
	expect(await one.rows("SELECT id FROM refunds")).toEqual([{ id: back }]);
	await expectRightStock(server, one);
});

test("an older sale comes back when the shift that it belongs to comes only then, and is open [WINDOW-2]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		await sellOn(server, "early", { shiftId: "late" });
	});
	const { shop, caller, env } = server;
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	await one.till.sync();
	expect(await salesOf(one)).not.toContain("early");
	env.pass(-180 * dayMs);
	const late = { id: "late", drawerId: "drawer", openingFloat: 0 };
	await shop.mutate(caller, shiftOpen, late);
	env.pass(180 * dayMs);
	await one.till.sync();
	await one.till.sync();
	expect(await salesOf(one)).toContain("early");
	await expectRightStock(server, one);
	expect(await one.till.compare()).toBe("same");
});

test("a refund that comes when its day has left the window goes like the sale it took back [WINDOW-2]", async () => {
	const { server, one } = await openWindowed();
	await refund(server, "old-1");
	server.env.pass(180 * dayMs);
	await server.store.write((tx) => tx.run("UPDATE businesses SET head = 600"));
	await sellOn(server, "newest");
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["newest"]);
	expect(await one.rows("SELECT id FROM refunds")).toEqual([]);
	await expectRightStock(server, one);
});

test("an older sale that is to be sorted out again comes back [WINDOW-2]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		const { shop, caller, rows } = server;
		const line = { id: "1", name: "bread", price: 100, cost: 60 };
		const items = [{ ...line, productId: "bread", quantity: 60 }];
		await sellOn(server, "oversold", { items });
		const [item] = await rows("SELECT id FROM inbox_items");
		const ids = [item?.id as string];
		await shop.mutate(caller, inboxDismiss, { ids, reason: "Counted" });
	});
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	const [item] = await server.rows("SELECT id FROM inbox_items");
	const ids = [item?.id as string];
	await server.shop.mutate(server.caller, inboxReopen, { ids });
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2", "oversold"]);
	await expectRightStock(server, one);
});

test("an older sale that was let go with a damaged item of the inbox comes back with the item [WINDOW-2]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		await sellOn(server, "unknown", { items: unknownItems("gone") });
	});
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	await one.till.sync();
	const needed = ["new-1", "new-2", "unknown"];
	expect(await salesOf(one)).toEqual(needed);
	await one.store.write((tx) => tx.run("DELETE FROM inbox_items"));
	server.env.pass(dayMs);
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	expect(await one.till.compare()).toBe("healed");
	await one.till.sync();
	expect(await salesOf(one)).toEqual(needed);
	await expectRightStock(server, one);
});

test("a till with a window compares the blocks that it holds whole, and heals no other [WINDOW-3]", async () => {
	const { server, one, reports } = await openWindowed();
	expect(await one.till.compare()).toBe("same");
	await one.store.write((tx) => eraseRow(tx, sale, "shop-1", "new-1"));
	expect(await one.till.compare()).toBe("healed");
	expect(await one.till.compare()).toBe("same");
	expect(reports.map(({ rows, done }) => ({ rows, done }))).toEqual([
		{ rows: { sale: 1 }, done: { written: 1 } },
	]);
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await expectRightStock(server, one);

	const found = await one.store.read((tx) =>
		readRow(tx, sale, "shop-1", "new-2"),
	);
	const copy = found as StoredRow<typeof sale>;
	await one.store.write((tx) =>
		insertRow(tx, sale, "shop-1", {
			...copy,
			row: { ...copy.row, id: "extra" },
		}),
	);
	expect(await one.till.compare()).toBe("healed");
	expect(reports.at(-1)?.done).toEqual({ removed: 1 });
	expect(await one.till.compare()).toBe("same");
	await expectRightStock(server, one);
	expect(await findDifferences(one.store, "shop-1", one.line)).toEqual({
		...{ inStep: true, differences: [] },
	});
	await one.store.write((tx) =>
		tx.run("UPDATE products SET quantity = quantity + 1 WHERE id = 'milk'"),
	);
	expect(await one.till.compare()).toBe("healed");
	await expectRightStock(server, one);
});

test("a record from before the window is compared and healed like any other, and brings no older sale along [WINDOW-3]", async () => {
	const { server, one, reports } = await openWindowed();
	await one.store.write((tx) =>
		tx.run("UPDATE products SET selling_price = 1 WHERE id = 'bread'"),
	);
	expect(await one.till.compare()).toBe("healed");
	expect(reports.map(({ rows }) => rows)).toEqual([{ product: 1 }]);
	expect(await one.till.compare()).toBe("same");
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await expectRightStock(server, one);
});

test("a till lets no sale go before a comparison has found everything the same [WINDOW-1]", async () => {
	const { server, line } = await openOldShop();
	const whole = await openTestTill(server, { line: line() });
	await whole.till.sync();
	await whole.store.write((tx) =>
		tx.run("UPDATE stock_movements SET delta = delta + 1000000"),
	);
	await whole.close();
	const one = await openTestTill(server, {
		...{ file: whole.file, line: line(), windowDays: 90 },
	});
	await one.till.sync();
	expect(await salesOf(one)).toHaveLength(6);
	await one.till.sync();
	expect(await salesOf(one)).toHaveLength(2);
	await expectRightStock(server, one);
	const movements = "SELECT id, delta FROM stock_movements ORDER BY id";
	expect(await one.rows(movements)).toEqual(await server.rows(movements));
});

test("a till that is still joining moves its window once what leaves it was compared [WINDOW-1]", async () => {
	const { server, line } = await openOldShop();
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	const { olderFacts } = one.line;
	one.line.olderFacts = () =>
		Promise.reject(new ShopError("unreachable", "Lost"));
	await expect(one.till.sync()).rejects.toThrow("Lost");
	await refund(server, "new-1");
	await expect(one.till.sync()).rejects.toThrow("Lost");
	await one.store.write((tx) =>
		tx.run("UPDATE stock_movements SET delta = delta + 1000000"),
	);
	await server.store.write((tx) => tx.run("UPDATE businesses SET head = 600"));
	server.env.pass(100 * dayMs);
	await sellOn(server, "today");
	one.line.olderFacts = olderFacts;
	// The stock that older sales moved was summed with the damage, so the whole shop comes again, too.
	for (let times = 0; times < 5; times += 1) await one.till.sync();
	expect(await one.rows("SELECT window_version FROM replica")).toEqual([
		{ window_version: 512 },
	]);
	const movements = "SELECT id, delta FROM stock_movements ORDER BY id";
	expect(await one.rows(movements)).toEqual(await server.rows(movements));
	await expectRightStock(server, one);
});

test("a till that chooses a window while it joins takes it once what leaves it was compared [WINDOW-1]", async () => {
	const { server, line } = await openOldShop();
	const whole = await openTestTill(server, { line: line() });
	await whole.till.sync({ leavesHistory: true });
	await server.shop.mutate(server.caller, productCreate, {
		...{ id: "late", name: "Late", buyingPrice: 1, sellingPrice: 1 },
		quantity: 10,
	});
	await whole.till.sync({ leavesHistory: true });
	await whole.store.write((tx) =>
		tx.run("UPDATE stock_movements SET delta = delta + 1000000"),
	);
	await whole.close();
	await server.store.write((tx) => tx.run("UPDATE businesses SET head = 600"));
	server.env.pass(100 * dayMs);
	await sellOn(server, "today");
	const one = await openTestTill(server, {
		...{ file: whole.file, line: line(), windowDays: 90 },
	});
	for (let times = 0; times < 5; times += 1) await one.till.sync();
	expect(await salesOf(one)).toEqual(["today"]);
	const movements = "SELECT id, delta FROM stock_movements ORDER BY id";
	expect(await one.rows(movements)).toEqual(await server.rows(movements));
	await expectRightStock(server, one);
});

test("where the stock that older sales moved is damaged, the whole shop comes again, once [WINDOW-3]", async () => {
	const { server, one } = await openWindowed();
	const damage = () =>
		one.store.write(async (tx) => {
			const more = "+ 1000000 WHERE";
			await tx.run(
				`UPDATE older_stock SET delta = delta ${more} product_id = 'milk'`,
			);
			await tx.run(
				`UPDATE products SET quantity = quantity ${more} id = 'milk'`,
			);
		});
	await damage();
	expect(await one.till.compare()).toBe("healed");
	await one.till.sync();
	expect(await one.till.compare()).toBe("same");
	await expectRightStock(server, one);
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await damage();
	expect(await one.till.compare()).toBe("different");
});

test("where only the sum of what older sales moved is damaged, it follows from the stock and the facts that are here [WINDOW-3]", async () => {
	const { server, one, reports } = await openWindowed();
	await one.store.write((tx) =>
		tx.run("UPDATE older_stock SET delta = delta + 1000000"),
	);
	await one.till.mutate(one.caller, saleCreate, {
		id: "unsent",
		items: unknownItems("milk"),
	});
	expect(await isLedgerRight(one)).toBe(false);
	expect(await one.till.compare()).toBe("healed");
	expect(reports).toMatchObject([{ first: ["product milk"] }]);
	expect(await isLedgerRight(one)).toBe(true);
	await one.till.sync();
	await expectRightStock(server, one);
	expect(await one.till.compare()).toBe("same");
});

test("after a loss of its history the server's shop comes whole, with the stock in sight as it is, and older sales are let go again [WINDOW-4]", async () => {
	const { server, line, one } = await openWindowed();
	await one.close();
	const seen: number[] = [];
	const again = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90 },
		...{ rowsPerWrite: 1, pages: { first: 1, least: 1, most: 1 } },
	});
	const { pull } = again.line;
	again.line.pull = async (...asked) => {
		seen.push((await again.quantityOf("milk")) ?? Number.NaN);
		return pull(...asked);
	};
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	await again.till.sync({ leavesHistory: true });
	const [milk] = await server.rows(
		"SELECT quantity FROM products WHERE id = 'milk'",
	);
	expect(seen.length).toBeGreaterThan(6);
	expect(new Set(seen)).toEqual(new Set([Number(milk?.quantity) / 1e6]));
	expect(await salesOf(again)).toHaveLength(6);
	await again.till.sync();
	expect(await salesOf(again)).toEqual(["new-1", "new-2"]);
	await expectRightStock(server, again);
	expect(await again.till.compare()).toBe("same");
});

test("a reset whose first page brings older sales leaves the stock in sight as it is, too [WINDOW-4]", async () => {
	const { server, line, one } = await openWindowed();
	await one.close();
	const pages = { first: 12, least: 12, most: 12 };
	const again = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90, pages },
		rowsPerWrite: 12,
	});
	const stock = await quantities(again);
	let seen = 0;
	const { pull } = again.line;
	again.line.pull = async (...asked) => {
		// The pages before are stored meanwhile.
		await again.store.write(async () => {});
		seen += 1;
		expect((await salesOf(again)).length).toBeGreaterThan(2);
		expect(await quantities(again)).toEqual(stock);
		return pull(...asked);
	};
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	await again.till.sync();
	expect(seen).toBeGreaterThan(0);
	await expectRightStock(server, again);
});

test("what a till sold before its window, and offers again after a loss, is in sight while the shop comes, though its payments and the movements of its refund never went [WINDOW-4]", async () => {
	let file = "";
	const { server, line } = await openOldShop(async (server) => {
		const { caller } = server;
		const seller = await openTestTill(server);
		file = seller.file;
		await seller.till.sync();
		const tenders = ["CASH", "CARD"].map((method) => ({ method, amount: 100 }));
		await seller.till.mutate(caller, saleCreate, {
			...{ id: "mine", tenders },
			items: [
				{
					id: "1",
					name: "milk",
					quantity: 2,
					price: 100,
					cost: 60,
					productId: "milk",
				},
			],
		});
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		const again = { saleId: "mine", reason: "Returned", restock: true, items };
		await seller.till.mutate(caller, saleRefund, { id: "back", ...again });
		await seller.till.sync();
		await seller.close();
	});
	const pages = { first: 2, least: 2, most: 2 };
	const one = await openTestTill(server, {
		...{ file, line: line(), windowDays: 90, pages },
		rowsPerWrite: 2,
	});
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	await one.till.sync({ mayGoOn: () => false });
	const resetting = "SELECT resetting FROM replica";
	expect(await one.rows(resetting)).toEqual([{ resetting: 1 }]);
	expect(await salesOf(one)).toContain("mine");
	expect(await one.rows("SELECT id FROM refunds")).toEqual([{ id: "back" }]);
	await one.till.sync();
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	await expectRightStock(server, one);
	expect(await one.till.compare()).toBe("same");
});

test("a till whose window grows brings what it had let go, up to everything [WINDOW-1]", async () => {
	const { server, line, one } = await openWindowed();
	await one.close();
	const more = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 365 },
	});
	await more.till.sync();
	expect(await salesOf(more)).toHaveLength(6);
	await expectRightStock(server, more);
	await more.close();
	const less = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90 },
	});
	await less.till.sync();
	expect(await salesOf(less)).toHaveLength(2);
	await less.close();
	const whole = await openTestTill(server, { file: one.file, line: line() });
	await whole.till.sync();
	expect(await salesOf(whole)).toHaveLength(6);
	expect(await whole.rows("SELECT 1 FROM older_stock")).toEqual([]);
	await expectRightStock(server, whole);
	expect(await whole.till.compare()).toBe("same");
});

test("a product that comes after the snapshot has the stock of its ledger, with sales from before it was known [WINDOW-2]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		await sellOn(server, "early", { items: unknownItems("late") });
		const { shop, caller } = server;
		const items = await server.rows("SELECT id FROM inbox_items");
		const ids = items.map(({ id }) => id as string);
		await shop.mutate(caller, inboxDismiss, { ids, reason: "Seen" });
	});
	const { shop, caller } = server;
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	await one.till.sync({ leavesHistory: true });
	await shop.mutate(caller, productCreate, {
		...{
			id: "late",
			name: "Late",
			buyingPrice: 1,
			sellingPrice: 1,
			quantity: 10,
		},
	});
	await one.till.sync();
	await expectRightStock(server, one);
	expect(await one.quantityOf("late")).toBe(9);
});

test("with a server that knows no windows a till holds everything [WINDOW-1]", async () => {
	const { server, line } = await openOldShop();
	const older = Object.assign(line(), {
		olderSales: async () => undefined,
	});
	const one = await openTestTill(server, { line: older, windowDays: 90 });
	await one.till.sync();
	expect(await salesOf(one)).toHaveLength(6);
	await expectRightStock(server, one);
});

test("a till whose server loses why an older sale was no longer needed takes the shop again, with that sale [WINDOW-1] [CUR-4]", async () => {
	const { server, line } = await openOldShop(async (server) => {
		await sellOn(server, "unknown", { items: unknownItems("gone") });
		await refund(server, "unknown");
	});
	const { shop, caller, env, store } = server;
	await store.write((tx) =>
		tx.run("UPDATE inbox_items SET cause = 'old_price'"),
	);
	const one = await openTestTill(server, { line: line(), windowDays: 90 });
	await one.till.sync({ leavesHistory: true });
	const file = await copyDatabase(store, server.file);
	const [item] = await server.rows("SELECT id FROM inbox_items");
	const ids = [item?.id as string];
	await shop.mutate(caller, inboxDismiss, { ids, reason: "Seen" });
	await one.till.bringHistory();
	expect(await salesOf(one)).toEqual(["new-1", "new-2"]);
	const back = await openTestShop({ file, env });
	one.line.shop = openShop({ store: back.store, env, snapshotSize });
	await one.till.sync();
	expect(await salesOf(one)).toEqual(["new-1", "new-2", "unknown"]);
	await expectRightStock(back, one);
});

test("a till with a window that takes its shop again looks at no shelf, because its stock lacks what has come since [FACT-13] [WINDOW-4]", async () => {
	const { server, line, one } = await openWindowed();
	await one.close();
	const { shop, caller } = server;
	await shop.mutate(caller, countOpen, { id: "count", name: "Shelf" });
	const look = { countId: "count", productId: "milk" };
	await shop.mutate(caller, countLookAt, { id: "look", ...look });
	await shop.mutate(caller, countEnter, { id: "look", counted: 50 });
	await shop.mutate(caller, countClose, { id: "count" });
	for (let more = 0; more < 9; more += 1) await sellOn(server, `more-${more}`);
	const pages = { first: 4, least: 4, most: 4 };
	const again = await openTestTill(server, {
		...{ file: one.file, line: line(), windowDays: 90, pages },
		rowsPerWrite: 4,
	});
	await server.store.write((tx) => beginNewHistory(tx, server.env));
	const isHere = () => again.rows("SELECT id FROM count_looks");
	await again.till.sync({ mayGoOn: () => false });
	while ((await isHere()).length === 0)
		await again.till.sync({ mayGoOn: () => false });
	const resetting = "SELECT resetting FROM replica";
	expect(await again.rows(resetting)).toEqual([{ resetting: 1 }]);
	const at = { id: "second", ...look };
	await expect(
		again.till.mutate(caller, countLookAt, at),
	).rejects.toMatchObject({ code: "unknown_record" });
	await again.till.sync();
	await again.till.mutate(caller, countLookAt, at);
	await again.till.mutate(caller, countEnter, { id: "second", counted: 30 });
	await again.till.mutate(caller, countClose, { id: "count" });
	expect(await again.quantityOf("milk")).toBe(30);
	await again.till.sync();
	await expectRightStock(server, again);
});
