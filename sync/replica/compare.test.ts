import { expect, test } from "vitest";
import { paymentCollect } from "../entities/payment.ts";
import { productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { reviewCreate } from "../entities/review.ts";
import { sale, saleCreate } from "../entities/sale.ts";
import { stockAdjust } from "../entities/stock.ts";
import { eraseRow, insertRow, readRow } from "../rows/rows.ts";
import {
	addCategories,
	expectInStep,
	openTestShop,
	openTestTill,
	saleArgs,
	salesOf,
	type TestLine,
	type TestTill,
	testLine,
	twoTills,
} from "../testing/shop.ts";
import type { DifferenceReport } from "./compare.ts";

/** Records what a till asks to compare itself. */
function watchLine(line: TestLine): string[] {
	const asked: string[] = [];
	const { digest, blocks, blockRows } = line;
	line.digest = () => {
		asked.push("digest");
		return digest();
	};
	line.blocks = () => {
		asked.push("blocks");
		return blocks();
	};
	line.blockRows = (block) => {
		asked.push(`rows ${block}`);
		return blockRows(block);
	};
	return asked;
}

/** Two tills in step after some sales, the reports of the first, and what it asks. */
async function openSold() {
	const reports: DifferenceReport[] = [];
	const { server, a: first, b } = await twoTills();
	const a = await openTestTill(server, {
		onDifference: (report) => reports.push(report),
	});
	await a.till.sync();
	const own = await a.sell({ milk: 2 });
	const other = await b.sell({ milk: 1, bread: 3 });
	await b.till.sync();
	await a.till.sync();
	await first.till.sync();
	const asked = watchLine(a.line);
	const damage = (sql: string, ...params: (string | number)[]) =>
		a.store.write((tx) => tx.run(sql, ...params));
	return { server, a, b, own, other, reports, asked, damage };
}

/** Deletes a sale, with its lines, behind the program's back. */
function eraseSale({ store }: Pick<TestTill, "store">, id: string) {
	return store.write((tx) => eraseRow(tx, sale, "shop-1", id));
}

/** Adds a copy of a sale behind the program's back. */
function addCopy({ store }: TestTill, of: string, id: string) {
	return store.write(async (tx) => {
		const found = await readRow(tx, sale, "shop-1", of);
		if (!found) throw new Error("No such sale");
		const row = { ...found.row, id };
		await insertRow(tx, sale, "shop-1", { ...found, row });
	});
}

test("a till in step learns so from one request [HEAL-1]", async () => {
	const { a, asked, reports } = await openSold();
	expect(await a.till.compare()).toBe("same");
	expect(asked).toEqual(["digest"]);
	expect(reports).toEqual([]);
	expect(await a.till.status()).toMatchObject({ healed: null });
});

const damages: [what: string, sql: string, rows: Record<string, number>][] = [
	["a sale is gone", "eraseSale", { sale: 1 }],
	[
		"a sale has another total",
		"UPDATE stored_sales SET total = total + 1 WHERE id = ?",
		{ sale: 1 },
	],
	[
		"a sale is marked as deleted",
		"UPDATE stored_sales SET deleted = 1 WHERE id = ?",
		{ sale: 1 },
	],
	[
		"lines of a sale take twice as much",
		"UPDATE stored_lines SET quantity = 2 * quantity WHERE sale = (SELECT n FROM stored_sales WHERE id = ?)",
		{ sale: 1 },
	],
	[
		"a product is gone",
		"DELETE FROM products WHERE id = 'milk' AND ? <> ''",
		{ product: 1 },
	],
	[
		"a product has another price",
		"UPDATE products SET selling_price = 1, edits = '{}' WHERE id = 'milk' AND ? <> ''",
		{ product: 1 },
	],
	[
		"a product has another quantity",
		"UPDATE products SET quantity = quantity + 7 WHERE id = 'milk' AND ? <> ''",
		{ product: 1 },
	],
	[
		"a movement is another's",
		"UPDATE stock_movements SET product_id = 'bread' WHERE product_id = 'milk' AND ? <> ''",
		{ stockMovement: 1 },
	],
];

test.each(damages)(
	"a till on which %s takes the server's row, and its stock is the sum of its ledger [HEAL-2]",
	async (_, sql, rows) => {
		const { server, a, other, reports, damage } = await openSold();
		await (sql === "eraseSale" ? eraseSale(a, other) : damage(sql, other));
		expect(await a.till.compare()).toBe("healed");
		expect(await a.till.compare()).toBe("same");
		await expectInStep(server, a);
		expect(await a.quantityOf("milk")).toBe(7);
		expect(await a.quantityOf("bread")).toBe(7);
		expect(reports).toEqual([
			{
				businessId: "shop-1",
				rows,
				first: [expect.stringMatching(/^(sale|product|stockMovement) /)],
				done: { written: 1 },
				removed: [],
			},
		]);
		expect((await a.till.status()).healed).toEqual({
			at: "2026-11-20T09:00:00.000Z",
			rows: 1,
		});
	},
);

test("a sale that neither the server nor the till's log knows is removed, and its numbers are logged [HEAL-3]", async () => {
	const { server, a, own, other, reports } = await openSold();
	await addCopy(a, other, "ghost");
	expect(await a.till.compare({ isThorough: true })).toBe("healed");
	expect(await salesOf(a)).toEqual([own, other].sort());
	await expectInStep(server, a);
	expect(reports).toMatchObject([
		{
			rows: { sale: 1 },
			first: ["sale ghost"],
			done: { removed: 1 },
			removed: [{ row: "sale ghost", was: { total: 400 } }],
		},
	]);
	expect(JSON.stringify(reports)).not.toContain("bread");
	expect(await a.till.compare()).toBe("same");
});

test("facts of this till that the server has lost are sent again, and those of its log alone [HEAL-3] [INV-1]", async () => {
	const { server, a, own, other, reports } = await openSold();
	const { till, caller } = a;
	const voided = await a.sell({ bread: 1 });
	await till.mutate(caller, saleVoid, {
		...{ id: "void", saleId: voided, reason: "Wrong", restock: true },
	});
	await till.mutate(caller, stockAdjust, {
		...{ id: "found", productId: "milk", delta: 4, reason: "count" },
	});
	await till.mutate(caller, reviewCreate, {
		id: "good",
		rating: 5,
		text: "Yes",
	});
	await till.sync();
	// The last that was taken: without it the server's whole history counts as lost.
	await till.mutate(caller, productUpdate, {
		id: "milk",
		set: { lowStock: 1 },
	});
	await till.sync();
	const before = await salesOf(a);
	await eraseSale(server, own);
	await server.store.write(async (tx) => {
		for (const table of ["stock_movements", "reviews"])
			await tx.run(`DELETE FROM ${table} WHERE id IN ('found', 'good')`);
		await tx.run(
			"UPDATE products SET quantity = quantity + 2000000 - 4000000 WHERE id = 'milk'",
		);
	});
	expect(await till.compare()).toBe("healed");
	expect(await salesOf(a)).toEqual(before);
	expect(await a.quantityOf("milk")).toBe(11);
	expect(reports).toMatchObject([{ done: { "sent again": 3 }, removed: [] }]);
	await till.sync();
	await expectInStep(server, a);
	expect(await salesOf(server)).toEqual(before);
	expect(before).toContain(other);
	const [{ user_id, business_day } = {}] = await server.rows(
		"SELECT user_id, business_day FROM sales WHERE id = ?",
		own,
	);
	expect({ user_id, business_day }).toEqual({
		user_id: "user-1",
		business_day: "2026-11-20",
	});
	expect(await till.compare()).toBe("same");
});

test("a collected debt that the server has lost is sent again with its money [HEAL-3] [INV-1]", async () => {
	const { server, a } = await openSold();
	const { till, caller } = a;
	await till.mutate(caller, paymentCollect, {
		...{ id: "debt", customerId: "zawadi" },
		tenders: [{ method: "CASH", amount: 5 }],
	});
	await till.sync();
	await a.sell({ milk: 1 });
	await till.sync();
	await server.store.write((tx) =>
		tx.run("DELETE FROM payments WHERE fact_id = 'debt'"),
	);
	expect(await till.compare()).toBe("healed");
	await till.sync();
	await expectInStep(server, a);
	expect(
		await server.rows("SELECT method, amount FROM payments ORDER BY method"),
	).toEqual([
		{ method: "CASH", amount: 5_000_000 },
		{ method: "CREDIT", amount: -5_000_000 },
	]);
});

test("a sale that is made while rows are put right stays, and so does its stock [HEAL-2] [REBASE-3]", async () => {
	const { server, a, other } = await openSold();
	await eraseSale(a, other);
	const { blockRows } = a.line;
	let made = "";
	a.line.blockRows = async (block) => {
		made = await a.sell({ milk: 1 });
		return blockRows(block);
	};
	expect(await a.till.compare()).toBe("healed");
	expect(await salesOf(a)).toContain(made);
	expect(await a.quantityOf("milk")).toBe(6);
	await a.till.sync();
	a.line.blockRows = blockRows;
	expect(await a.till.compare()).toBe("same");
	await expectInStep(server, a);
	expect(await salesOf(server)).toContain(made);
});

test.each(["digest", "blocks", "blockRows"] as const)(
	"a till changes nothing if the server moves before its answer to %s [HEAL-1]",
	async (call) => {
		const { server, a, b, other, damage, reports } = await openSold();
		await damage("UPDATE stored_sales SET total = 1 WHERE id = ?", other);
		const answer = a.line[call] as (block: number) => Promise<never>;
		Object.assign(a.line, {
			async [call](block: number) {
				await b.sell({ bread: 1 });
				await b.till.sync();
				return answer(block);
			},
		});
		expect(await a.till.compare()).toBe("unknown");
		expect(reports).toEqual([]);
		Object.assign(a.line, { [call]: answer });
		await a.till.sync();
		expect(await a.till.compare()).toBe("healed");
		await expectInStep(server, a);
	},
);

test("a till that pulls while it compares changes nothing [HEAL-1]", async () => {
	const { a, b, other, damage, reports } = await openSold();
	await damage("UPDATE stored_sales SET total = 1 WHERE id = ?", other);
	const { blockRows } = a.line;
	a.line.blockRows = async (block) => {
		const answer = await blockRows(block);
		await b.sell({ bread: 1 });
		await b.till.sync();
		await a.till.sync();
		return answer;
	};
	expect(await a.till.compare()).toBe("unknown");
	expect(reports).toEqual([]);
});

test("a till that can't send what it has made compares and heals what is below that [HEAL-1] [HEAL-2]", async () => {
	const { server, a, own, other, reports, damage } = await openSold();
	const waiting = await a.sell({ milk: 1, bread: 1 });
	await a.till.mutate(a.caller, productUpdate, {
		...{ id: "milk", set: { name: "Maziwa", quantity: 3 } },
	});
	expect(await a.till.compare()).toBe("same");
	await damage("UPDATE products SET sku = '1'");
	await damage("UPDATE stored_sales SET total = 1 WHERE id = ?", other);
	await eraseSale(a, own);
	expect(await a.till.compare()).toBe("healed");
	expect(await a.till.compare()).toBe("same");
	expect(reports).toHaveLength(1);
	expect(await salesOf(a)).toEqual([own, other, waiting].sort());
	expect(await a.quantityOf("milk")).toBe(3);
	expect(await a.quantityOf("bread")).toBe(6);
	expect((await a.till.status()).pending).toBe(2);
	await a.till.sync();
	await expectInStep(server, a);
});

test("a till whose history still arrives does not compare [HEAL-1]", async () => {
	const { server } = await openSold();
	const line = testLine(server.shop, server.caller, true);
	const joining = await openTestTill(server, { line });
	const theirs = watchLine(line);
	expect(await joining.till.compare()).toBe("unknown");
	await joining.till.sync({ leavesHistory: true });
	expect(await joining.till.status()).toMatchObject({ hasHistory: false });
	expect(await joining.till.compare()).toBe("unknown");
	expect(theirs).toEqual([]);
	await joining.till.bringHistory();
	expect(await joining.till.compare()).toBe("same");
});

test("a row that differs again after it was put right twice is reported and left [HEAL-4]", async () => {
	const { a, other, damage, reports } = await openSold();
	await damage(
		"CREATE TEMP TRIGGER breaks AFTER INSERT ON stored_sales BEGIN UPDATE stored_sales SET total = 1 WHERE id = NEW.id; END",
	);
	await damage("UPDATE stored_sales SET total = 1 WHERE id = ?", other);
	expect(await a.till.compare()).toBe("healed");
	expect(await a.till.compare()).toBe("healed");
	expect(await a.till.compare()).toBe("different");
	expect(await a.till.compare()).toBe("different");
	expect(reports.map(({ done }) => done)).toEqual([
		{ written: 1 },
		{ written: 1 },
		{ left: 1 },
		{ left: 1 },
	]);
	expect((await a.till.status()).healed?.rows).toBe(2);
});

test("a till compares no further if the sums differ and no row does [HEAL-4]", async () => {
	const { a, asked, reports } = await openSold();
	const { digest, blocks } = a.line;
	Object.assign(a.line, {
		digest: async () => ({ ...(await digest()), digest: "other" }),
		blocks: async () => ({ ...(await blocks()), blocks: ["", "other"] }),
	});
	expect(await a.till.compare()).toBe("different");
	const once = ["digest", "blocks", "rows 1"];
	expect(asked).toEqual([...once, ...once]);
	expect(await a.till.compare()).toBe("different");
	expect(asked).toHaveLength(6);
	expect(reports).toEqual([]);
});

test("a kept sum that is wrong is made again, and the till compares on [HEAL-1] [HEAL-4]", async () => {
	const { server, a, reports, damage } = await openSold();
	await addCategories(server, 256 * 17);
	await a.till.sync();
	expect(await a.till.compare()).toBe("same");
	// The last group of blocks is summed again before each comparison.
	server.env.randomBytes = (count) => new Uint8Array(count).fill(255);
	await damage(
		"UPDATE digest_blocks SET sum = replace(sum, 'a', 'b') WHERE block = 3",
	);
	expect(await a.till.compare()).toBe("same");
	expect(reports).toEqual([]);
	await damage("UPDATE categories SET name = 'Else'");
	expect(await a.till.compare()).toBe("healed");
});

test("a till puts a few blocks right at a time, and removes no row before it has seen all that differ [HEAL-2]", async () => {
	const { server, a, other, reports, damage } = await openSold();
	await addCategories(server, 256 * 9);
	await a.till.sync();
	await addCopy(a, other, "ghost");
	await damage("UPDATE categories SET name = 'Else'");
	const found: string[] = [];
	while (found.at(-1) !== "same" && found.length < 9)
		found.push(await a.till.compare({ isThorough: true }));
	expect(found).toEqual(["healed", "healed", "same"]);
	expect(reports[0]).toMatchObject({ rows: { category: expect.any(Number) } });
	expect(reports[0]?.done).not.toHaveProperty("removed");
	expect(reports[1]?.done).toHaveProperty("removed", 1);
	await expectInStep(server, a);
	expect((await a.till.status()).healed?.rows).toBe(256 * 9 + 1);
});

test("a row that was added behind the program's back is found though its block's sum is kept [HEAL-1]", async () => {
	const { server, a, other } = await openSold();
	await addCategories(server, 300);
	await a.till.sync();
	expect(await a.till.compare()).toBe("same");
	await addCopy(a, other, "ghost");
	expect(await a.till.compare()).toBe("healed");
	await expectInStep(server, a);
});

test("an answer of another shop is not compared [BIZ-2]", async () => {
	const { a } = await openSold();
	const { digest } = a.line;
	a.line.digest = async () => ({ ...(await digest()), businessId: "shop-2" });
	await expect(a.till.compare()).rejects.toMatchObject({
		code: "wrong_business",
	});
	expect(await a.till.status()).toMatchObject({ paused: null });
});

test("a server's entities and fields that this program doesn't know differ in nothing [HEAL-1] [VER-4]", async () => {
	const server = await openTestShop();
	const a = await openTestTill(server);
	await a.till.sync();
	await a.till.mutate(a.caller, saleCreate, saleArgs("s"));
	await a.till.sync();
	await a.store.write((tx) => tx.run("UPDATE stored_sales SET total = 1"));
	const { blockRows } = a.line;
	a.line.blockRows = async (block) => {
		const { changes, ...rest } = await blockRows(block);
		const more = changes.map((change) => ({
			...change,
			row: change.row && { ...change.row, loyaltyPoints: 3 },
		}));
		const card = { entity: "loyaltyCard", id: "1", version: 1, deleted: false };
		return { ...rest, changes: [...more, { ...card, row: { id: "1" } }] };
	};
	expect(await a.till.compare()).toBe("healed");
	expect(await a.till.compare()).toBe("same");
});
