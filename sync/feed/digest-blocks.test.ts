import { describe, expect, test } from "vitest";
import { categoryDelete, categoryUpdate } from "../entities/category.ts";
import { inboxDismiss } from "../entities/inbox.ts";
import { productUpdate } from "../entities/product.ts";
import { saleCreate } from "../entities/sale.ts";
import { taxSet } from "../entities/tax.ts";
import { ShopError } from "../protocol/errors.ts";
import { openShop } from "../shop.ts";
import type { Store } from "../store/store.ts";
import { assertBlocksRight } from "../testing/blocks.ts";
import {
	expectInStep,
	message,
	openTestShop,
	openTestTill,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import {
	blockOf,
	settleBlocks,
	sumAllBlocks,
	versionsOf,
} from "./digest-blocks.ts";

/** Blocks of 256 versions that are closed by so many mutations. */
const closed = 2;

async function push(server: TestShop, items: [name: string, args: object][]) {
	for (let start = 0; start < items.length; start += 1_000) {
		const mutations = items
			.slice(start, start + 1_000)
			.map(([name, args], i) =>
				message(`${name} ${start + i} ${Math.random()}`, name, args),
			);
		const { results } = await server.shop.push(server.caller, { mutations });
		expect(results.filter(({ status }) => status !== "applied")).toEqual([]);
	}
}

/** A shop with records and facts of every kind in closed blocks. */
async function openLongShop(): Promise<TestShop> {
	const server = await openTestShop();
	await push(server, [
		["category.create", { id: "c", name: "C" }],
		[
			"product.create",
			{ id: "p", name: "P", buyingPrice: 1, sellingPrice: 2, quantity: 1 },
		],
		[
			"sale.create",
			saleArgs("s", [
				{
					...{ productId: "p", quantity: 5, taxClass: "B", taxRate: 16 },
					...{ packId: "k", packName: "Pair", packSize: 2 },
				},
			]),
		],
		["tax.set", taxSet.examples[0]],
		["label.set", { id: "p", name: "P", price: 2 }],
		["code.create", { id: "k", productId: "p", code: "1" }],
		["pack.create", { id: "pair", productId: "p", name: "Pair", size: 2 }],
		[
			"sale.refund",
			{
				...{ id: "r", saleId: "s", reason: "Sour" },
				items: [{ id: "1", itemId: "1", quantity: 1 }],
			},
		],
		["review.create", { id: "v", rating: 1, text: "Bad" }],
		...Array.from({ length: closed * 256 }, (_, i): [string, object] => [
			"category.create",
			{ id: `c${i}`, name: `C ${i}` },
		]),
	]);
	return server;
}

const keptOf = async ({ rows }: Pick<TestShop, "rows">) =>
	(
		await rows(
			"SELECT part, block FROM digest_blocks WHERE part <> 'groups' ORDER BY block, part",
		)
	).map(({ part, block }) => `${part} ${block}`);

const allKept = ["facts 1", "records 1", "facts 2", "records 2"];

test("a version is in one block, and the unsent rows of a till are in block 0", () => {
	for (const [version, block] of [
		...[-1, 0].map((version) => [version, 0] as const),
		...[1, 255, 256].map((version) => [version, 1] as const),
		...[257, 512].map((version) => [version, 2] as const),
	]) {
		expect(blockOf(version)).toBe(block);
		const [after, upTo] = versionsOf(block);
		if (version >= 0) expect(version > after && version <= upTo).toBe(true);
	}
});

describe("the kept sums", () => {
	test("a digest sums the closed blocks once, and the next one reads their sums [DIGEST-5]", async () => {
		const server = await openLongShop();
		expect(await keptOf(server)).toEqual([]);
		const { digest } = await server.shop.digest(server.caller);
		expect(await keptOf(server)).toEqual(allKept);
		await assertBlocksRight(server.store, "shop-1");
		await server.store.write((tx) =>
			tx.run(
				"UPDATE digest_blocks SET sum = ? WHERE part = 'facts' AND block = 1",
				"0".repeat(64),
			),
		);
		expect((await server.shop.digest(server.caller)).digest).not.toBe(digest);
		await expect(assertBlocksRight(server.store, "shop-1")).rejects.toThrow();
	});

	test("an edited, removed or dismissed record leaves its block, whose other records alone are summed again", async () => {
		const server = await openLongShop();
		const { shop, caller } = server;
		const [item] = await server.rows("SELECT id FROM inbox_items");
		const edits = [
			() => shop.mutate(caller, productUpdate, { id: "p", set: { name: "Q" } }),
			() =>
				shop.mutate(caller, categoryUpdate, { id: "c", set: { name: "D" } }),
			() => shop.mutate(caller, categoryDelete, { id: "c1" }),
			() =>
				shop.mutate(caller, inboxDismiss, {
					ids: [item?.id as string],
					reason: "counted",
				}),
		];
		const seen = new Set<string>();
		for (const edit of edits) {
			seen.add((await shop.digest(caller)).digest);
			await edit();
			expect(await keptOf(server)).toEqual(
				allKept.filter((key) => key !== "records 1"),
			);
			await assertBlocksRight(server.store, "shop-1");
		}
		seen.add((await shop.digest(caller)).digest);
		expect(seen.size).toBe(edits.length + 1);
	});

	test("a sale, a refund and a moved quantity leave every kept sum as it is", async () => {
		const server = await openLongShop();
		await server.shop.digest(server.caller);
		const before = await server.rows("SELECT * FROM digest_blocks");
		await server.shop.mutate(
			server.caller,
			saleCreate,
			saleArgs("s2", [{ productId: "p", quantity: 1 }]),
		);
		await push(server, [
			["sale.void", { id: "v2", saleId: "s2", reason: "Wrong" }],
		]);
		expect(await server.rows("SELECT * FROM digest_blocks")).toEqual(before);
		await assertBlocksRight(server.store, "shop-1");
	});

	test("any change of a row by any program is forgotten with its block's sum [DIGEST-5]", async () => {
		const server = await openLongShop();
		const changes = [
			["stored_sales", "total = total + 1"],
			["stored_lines", "quantity = quantity + 1"],
			["line_taxes", "tax = tax + 1"],
			["line_units", "size = size + 1"],
			["product_packs", "name = 'Two'"],
			["refunds", "reason = 'Other'"],
			["refund_items", "quantity = quantity + 1"],
			["stock_movements", "delta = delta + 1"],
			["inbox_items", "resolution = 'counted'"],
			["reviews", "text = 'Good'"],
			["products", "sku = '1'"],
			["taxes", "name = 'T'"],
			["product_codes", "code = '2'"],
			["labels", "name = 'L'"],
			["categories", "name = 'E'"],
			["businesses", "receipt_header = 'Karibu'"],
		] as const;
		for (const [table, set] of changes) {
			await settleBlocks(server.store, "shop-1");
			const kept = await keptOf(server);
			await server.store.write((tx) => tx.run(`UPDATE ${table} SET ${set}`));
			expect(await keptOf(server), table).not.toEqual(kept);
			await assertBlocksRight(server.store, "shop-1");
		}
		for (const table of [
			...["line_taxes", "line_units", "stored_lines", "stored_sales"],
			...["refund_items", "refunds", "reviews", "taxes"],
			...["product_codes", "product_packs", "labels"],
			...["stock_movements", "inbox_items", "products", "categories"],
		]) {
			const kept = await keptOf(server);
			await server.store.write((tx) => tx.run(`DELETE FROM ${table}`));
			expect(await keptOf(server), table).not.toEqual(kept);
			await assertBlocksRight(server.store, "shop-1");
		}
	});

	test("sixteen blocks have a sum together, which is deleted and made again with any of theirs", async () => {
		const server = await openLongShop();
		await server.store.write((tx) =>
			tx.run("UPDATE businesses SET head = 8192"),
		);
		const groups = () =>
			server.rows("SELECT block FROM digest_blocks WHERE part = 'groups'");
		const both = [{ block: 1 }, { block: 2 }];
		await server.shop.digest(server.caller);
		expect(await groups()).toEqual(both);
		await assertBlocksRight(server.store, "shop-1");
		for (const sql of [
			"UPDATE stored_sales SET total = total + 1",
			"UPDATE stored_lines SET quantity = quantity + 1",
			"UPDATE categories SET name = 'E' WHERE id = 'c1'",
			"DELETE FROM reviews",
		]) {
			await server.store.write((tx) => tx.run(sql));
			expect({ sql, groups: await groups() }).toEqual({
				sql,
				groups: [{ block: 2 }],
			});
			await assertBlocksRight(server.store, "shop-1");
			expect(await groups()).toEqual(both);
		}
	});

	test("blocks with few rows are summed many at once, and each with many rows in its own transaction [DIGEST-5]", async () => {
		const server = await openLongShop();
		const writesOf = async () => {
			let writes = 0;
			const store: Store = {
				...server.store,
				read: (fn) => server.store.read(fn),
				write: (fn) => {
					writes += 1;
					return server.store.write(fn);
				},
			};
			await settleBlocks(store, "shop-1");
			return writes;
		};
		// One for each block of records, and one for the facts of the first block and of the second.
		expect(await writesOf()).toBe(2 * closed);
		await server.store.write((tx) =>
			tx.run("UPDATE businesses SET head = 16384"),
		);
		const blocks = 2 * (16_384 / 256 - closed);
		const writes = await writesOf();
		expect(writes).toBeLessThan(blocks / 5);
		expect(await keptOf(server)).toHaveLength(2 * closed + blocks);
		await assertBlocksRight(server.store, "shop-1");
	});

	test("a program that hashes rows in another way sums every block again", async () => {
		const server = await openLongShop();
		const { digest } = await server.shop.digest(server.caller);
		await server.store.write((tx) =>
			tx.run(
				"UPDATE digest_blocks SET form = 'older', sum = ?",
				"f".repeat(64),
			),
		);
		expect((await server.shop.digest(server.caller)).digest).toBe(digest);
		await assertBlocksRight(server.store, "shop-1");
	});

	test("a digest is right while nothing can be written", async () => {
		const server = await openLongShop();
		const { digest } = await server.store.read((tx) =>
			sumAllBlocks(tx, "shop-1"),
		);
		const full = openShop({
			store: {
				...server.store,
				read: (fn) => server.store.read(fn),
				write: async () => {
					throw new ShopError("storage_full", "Full");
				},
			},
		});
		await expect(full.digest(server.caller)).resolves.toMatchObject({ digest });
		expect(await keptOf(server)).toEqual([]);
	});

	test("two processes that sum the same blocks while a third edits keep right sums", async () => {
		const server = await openLongShop();
		await Promise.all([
			settleBlocks(server.store, "shop-1"),
			settleBlocks(server.store, "shop-1"),
			...Array.from({ length: 20 }, (_, i) =>
				server.shop.mutate(server.caller, categoryUpdate, {
					id: `c${i * 25}`,
					set: { name: `Edited ${i}` },
				}),
			),
		]);
		await assertBlocksRight(server.store, "shop-1");
	});
});

describe("on a till", () => {
	test("unsent edits and sales, their answers and the rows of others leave right sums [DIGEST-5]", async () => {
		const server = await openLongShop();
		const till = await openTestTill(server);
		const { store, caller } = till;
		await till.till.sync();
		const right = () => assertBlocksRight(store, "shop-1");
		await right();
		expect(await keptOf(till)).toEqual(allKept);
		const before = await till.till.digest();
		await till.till.mutate(caller, categoryUpdate, {
			...{ id: "c3", set: { name: "Mine" } },
		});
		await till.sell({ p: 1 });
		expect(await till.till.digest()).not.toBe(before);
		await right();
		await server.shop.mutate(server.caller, categoryUpdate, {
			...{ id: "c4", set: { name: "Theirs" } },
		});
		await till.till.sync();
		await right();
		await expectInStep(server, till);
	});

	test("a pending sale leaves the sum of its product's block, before and after it is answered", async () => {
		const server = await openLongShop();
		const till = await openTestTill(server);
		await till.till.sync();
		await till.till.digest();
		await till.sell({ p: 1 });
		expect(await keptOf(till)).toEqual(allKept);
		await till.till.sync();
		expect(await keptOf(till)).toEqual(allKept);
		await expectInStep(server, till);
	});

	test("after a reset a till has the sums of the new history, also where the old one had no row", async () => {
		const server = await openLongShop();
		const till = await openTestTill(server);
		await till.till.sync();
		await till.till.digest();
		expect(await keptOf(till)).toEqual(allKept);
		const other = await openTestShop();
		await push(
			other,
			Array.from({ length: closed * 256 }, (_, i) => [
				"sale.create",
				saleArgs(`other-${i}`),
			]),
		);
		till.line.shop = other.shop;
		await till.till.sync();
		await assertBlocksRight(till.store, "shop-1");
		await expectInStep(other, till);
	});

	test("a till that compares sums its blocks in pauses, and leaves them when it closes", async () => {
		const server = await openLongShop();
		let pauses = 0;
		const pace = {
			async rest() {
				pauses += 1;
				if (pauses === 3) throw new ShopError("unreachable", "It is closing");
			},
		};
		const till = await openTestTill(server, { pace });
		await till.till.sync();
		await expect(till.till.compare()).rejects.toThrow("It is closing");
		const kept = (await keptOf(till)).length;
		expect(kept).toBeGreaterThan(0);
		expect(kept).toBeLessThan(allKept.length);
		expect(await till.till.compare()).toBe("same");
		expect(await keptOf(till)).toEqual(allKept);
	});

	test("the sums of what a till has are right in the middle of a reset", async () => {
		const server = await openLongShop();
		const till = await openTestTill(server, {
			pages: { first: 100, least: 100, most: 100 },
			rowsPerWrite: 100,
		});
		await till.till.sync();
		await till.till.digest();
		await server.store.write((tx) =>
			tx.run("UPDATE meta SET value = 'another' WHERE key = 'epoch'"),
		);
		let trips = 0;
		till.line.lose = () => {
			trips += 1;
			return trips > 3 ? "request" : undefined;
		};
		await till.till.sync().catch(() => undefined);
		const [state] = await till.rows("SELECT resetting FROM replica");
		expect(state).toEqual({ resetting: 1 });
		await assertBlocksRight(till.store, "shop-1");
		till.line.lose = () => undefined;
		await till.till.sync();
		await assertBlocksRight(till.store, "shop-1");
		await expectInStep(server, till);
	});
});
