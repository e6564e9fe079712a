import { describe, expect, test } from "vitest";
import { productUpdate } from "../entities/product.ts";
import { sale } from "../entities/sale.ts";
import { settleBlocks } from "../feed/digest-blocks.ts";
import { feedForm } from "../feed/feed-form.ts";
import { ShopError } from "../protocol/errors.ts";
import type { Change } from "../protocol/protocol.ts";
import { updateRow } from "../rows/rows.ts";
import type { Connection, DbRow } from "../store/store.ts";
import { assertBlocksRight } from "../testing/blocks.ts";
import { addTwin, rowsOfBusiness } from "../testing/rows.ts";
import {
	message,
	openTestShop,
	openTestTill,
	reverseUnordered,
	saleArgs,
	type TestShop,
	type TestTill,
} from "../testing/shop.ts";
import { redo, restartFeed, undo } from "./rebase.ts";
import {
	markUnconfirmed,
	sweepUnconfirmed,
	writeChanges,
} from "./server-rows.ts";

const shop = "shop-1";
type Item = [name: string, args: object];

/** One of everything. */
const history: Item[] = [
	["category.create", { id: "c", name: "Drinks" }],
	["category.create", { id: "empty", name: "Empty" }],
	[
		"product.create",
		{ id: "tea", name: "Tea", buyingPrice: 1, sellingPrice: 2 },
	],
	[
		"product.create",
		{ id: "milk", name: "Milk", buyingPrice: 1, sellingPrice: 2, quantity: 9 },
	],
	[
		"sale.create",
		saleArgs("s1", [{ productId: "tea" }, { productId: "milk" }]),
	],
	["sale.create", saleArgs("s2", [{ productId: "milk" }])],
	[
		"sale.refund",
		{
			id: "r1",
			saleId: "s1",
			reason: "Sour",
			restock: true,
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		},
	],
	["review.create", { id: "w1", rating: 5, text: "Good" }],
];

/** Everything that a till may do to rows of each entity; the number makes it unique. */
const pending = (n: number): Item[] => [
	[
		"sale.create",
		saleArgs(`p${n}`, [{ productId: "tea" }, { productId: "milk" }]),
	],
	[
		"sale.void",
		{ id: `v${n}`, saleId: n === 1 ? "s1" : "s2", reason: "Mistake" },
	],
	[
		"product.update",
		{ id: "milk", set: { name: `Milk ${n}`, sellingPrice: 3 + n } },
	],
	["category.update", { id: n === 1 ? "c" : "empty", set: { sortOrder: n } }],
	["category.delete", { id: n === 1 ? "c" : "empty" }],
	["category.create", { id: `new${n}`, name: `New ${n}` }],
	[
		"stock.adjust",
		{ id: `a${n}`, productId: "tea", delta: n, reason: "received" },
	],
	["business.update", { set: { name: `Duka ${n}` } }],
	["review.create", { id: `w${n + 1}`, rating: n, text: "Well" }],
];

async function push(
	{ shop: server, caller, env }: TestShop,
	items: readonly Item[],
) {
	env.pass(1_000);
	const at = new Date(env.now()).toISOString();
	const mutations = items.map(([name, args]) =>
		message(crypto.randomUUID(), name, args, { at }),
	);
	const { results } = await server.push(caller, { mutations });
	expect(results.filter(({ status }) => status !== "applied")).toEqual([]);
}

async function take(
	{ till, caller }: TestTill,
	items: readonly Item[],
	at: string,
) {
	const made = items.map(([name, args]) =>
		message(crypto.randomUUID(), name, args, { at }),
	);
	const results = await till.take(caller, made as never);
	expect(results.filter(({ status }) => status !== "applied")).toEqual([]);
}

/** A till with a shop, beside another shop in the same database, which must not change. */
async function openTill() {
	const server = await openTestShop();
	await push(server, history);
	const a = await openTestTill(server);
	await a.till.sync();
	await addTwin(a.store, shop, "shop-2");
	await a.store.write((tx) =>
		tx.run("INSERT INTO base_rows VALUES ('shop-2', 'category', 'c', NULL)"),
	);
	const stranger = await rowsOfBusiness(a.store, "shop-2");
	await reverseUnordered(a.store);
	const all = async () => {
		expect(await rowsOfBusiness(a.store, "shop-2")).toEqual(stranger);
		const {
			outbox: _,
			mutations: __,
			replica: ___,
			...rows
		} = await rowsOfBusiness(a.store, shop);
		return rows;
	};
	const faults: unknown[] = [];
	const onFault = (error: unknown) => void faults.push(error);
	const write = <T>(fn: (tx: Connection) => Promise<T>) => a.store.write(fn);
	return { server, a, all, write, faults, onFault };
}

/** What a reader sees of a shop. */
function seen(rows: Record<string, DbRow[]>) {
	const { base_rows: _, ...tables } = rows;
	return Object.fromEntries(
		Object.entries(tables).map(([table, all]) => [
			table,
			all.map(({ version: _, ...row }) => row),
		]),
	);
}

describe("pending mutations of every kind", () => {
	test("a rebase undoes pending mutations completely, and redoes them to the same rows [MUT-6] [REBASE-2]", async () => {
		const { server, a, all, write, onFault, faults } = await openTill();
		const truth = await all();
		await take(a, pending(1), new Date(server.env.now()).toISOString());
		await take(a, pending(2), new Date(server.env.now()).toISOString());
		const shown = await all();
		expect(shown.base_rows).not.toEqual([]);
		const undone: string[] = [];
		const redone: string[] = [];
		await write(async (tx) => {
			const touched: { entity: string; id: string }[] = [];
			await undo(tx, shop, touched);
			undone.push(...touched.map(({ entity, id }) => `${entity} ${id}`));
		});
		expect(await all()).toEqual(truth);
		expect(undone.sort()).toEqual(
			shown.base_rows?.map(({ entity, id }) => `${entity} ${id}`).sort(),
		);
		await write(async (tx) => {
			const touched: { entity: string; id: string }[] = [];
			await redo(tx, shop, 0, onFault, touched);
			redone.push(...touched.map(({ entity, id }) => `${entity} ${id}`));
		});
		expect(await all()).toEqual(shown);
		expect([...new Set(redone)].sort()).toEqual(undone);
		await write((tx) => undo(tx, shop));
		await write((tx) => redo(tx, shop, 0, onFault));
		expect(await all()).toEqual(shown);
		expect(faults).toEqual([]);
	});

	test("acknowledged mutations end in the same rows as on a till without pending ones [MUT-7]", async () => {
		const { server, a } = await openTill();
		const b = await openTestTill(server);
		await b.till.sync();
		await take(a, pending(1), new Date(server.env.now()).toISOString());
		await push(server, pending(2));
		await a.till.sync();
		await b.till.sync();
		const [ours, theirs] = await Promise.all(
			[a, b].map(async ({ store }) => {
				const rows = await rowsOfBusiness(store, shop);
				for (const table of ["outbox", "mutations", "replica"])
					delete rows[table];
				for (const row of Object.values(rows).flat()) delete row.edits;
				return rows;
			}),
		);
		expect(ours).toEqual(theirs);
	});
});

describe("a feed that begins again", () => {
	test("a restarted feed keeps all rows visible, deletes those that do not come again and keeps pending mutations [LOSS-5]", async () => {
		const { server, a, all, write, onFault } = await openTill();
		await take(a, pending(1), new Date(server.env.now()).toISOString());
		const shown = await all();
		await write(async (tx) => {
			await tx.run(
				"UPDATE replica SET feed_form = 'older' WHERE business_id = ?",
				shop,
			);
			await restartFeed(tx, shop, onFault);
		});
		expect(seen(await all())).toEqual(seen(shown));
		expect(
			await a.rows(
				"SELECT cursor_version, cursor_proof, resetting, feed_form FROM replica WHERE business_id = ?",
				shop,
			),
		).toEqual([
			{
				cursor_version: 0,
				cursor_proof: "",
				resetting: 1,
				feed_form: feedForm(),
			},
		]);
		const versions = Object.values(await all())
			.flat()
			.flatMap(({ version }) => (version === undefined ? [] : [version]));
		expect(new Set(versions)).toEqual(new Set([-1, 0]));
		const b = await openTestTill(server);
		await b.till.sync();
		await a.till.sync();
		await b.till.sync();
		expect(await a.till.digest()).toBe(await b.till.digest());
		expect(
			await a.rows("SELECT resetting FROM replica WHERE business_id = ?", shop),
		).toEqual([{ resetting: 0 }]);
	});

	test("the end of a reset deletes rows that did not come again, with their lines, and no others [LOSS-5]", async () => {
		const { a, all, write } = await openTill();
		const before = await all();
		await write(async (tx) => {
			await tx.run("INSERT INTO tallies VALUES (?, 1, 1, '2026-11-20')", shop);
			await markUnconfirmed(tx, shop);
		});
		// The sums are computed again from the new rows.
		expect(seen(await all())).toEqual(seen(before));
		await write((tx) => markUnconfirmed(tx, "shop-2"));
		const twin = await rowsOfBusiness(a.store, "shop-2");
		const back: [string, string][] = [
			["businesses", shop],
			["refunds", "r1"],
			["products", "tea"],
		];
		await write(async (tx) => {
			await updateRow(tx, sale, shop, "s1", { version: 7 });
			for (const [table, id] of back)
				await tx.run(
					`UPDATE ${table} SET version = 7 WHERE business_id = ? AND id = ?`,
					shop,
					id,
				);
			await sweepUnconfirmed(tx, shop);
		});
		expect(await rowsOfBusiness(a.store, "shop-2")).toEqual(twin);
		const left = await rowsOfBusiness(a.store, shop);
		for (const table of ["outbox", "mutations", "replica"]) delete left[table];
		expect(Object.keys(left).sort()).toEqual([
			...[
				"businesses",
				"products",
				"refund_items",
				"refunds",
				"sale_items",
				"sales",
			],
		]);
		expect(left.products?.map(({ id }) => id)).toEqual(["tea"]);
		expect(left.sale_items?.map((row) => row.sale_id)).toEqual(["s1", "s1"]);
		expect(left.refund_items).toEqual(before.refund_items);
		expect(await a.till.status()).toMatchObject({ rejected: 0 });
	});
});

describe("the server's rows", () => {
	const change = (id: string, more: Partial<Change> = {}): Change => ({
		...{ entity: "category", id, version: 99, deleted: false },
		row: {
			...{ id, businessId: shop, name: `Name of ${id}`, sortOrder: 0 },
			...{
				createdAt: "2026-11-20T09:00:00.000Z",
				updatedAt: "2026-11-20T09:00:00.000Z",
			},
		},
		...more,
	});
	const gone = (id: string, more: Partial<Change> = {}) =>
		change(id, { deleted: true, row: null, ...more });
	const categories = ({ rows }: TestTill) =>
		rows(
			"SELECT id, name, version, deleted FROM categories WHERE business_id = ? ORDER BY id",
			shop,
		);

	test("the server's rows and tombstones are written, and unreadable or unknown rows are skipped [VER-5]", async () => {
		const { a, all, write, faults, onFault } = await openTill();
		const unreadable = change("bad", { row: { id: "bad", name: 5 } });
		for (const page of [
			[
				change("new"),
				gone("c"),
				gone("never"),
				change("x", { entity: "spaceship" }),
			],
			[
				change("later", { version: 100 }),
				unreadable,
				gone("empty", { version: 100 }),
			],
		])
			await write((tx) => writeChanges(tx, shop, page, onFault));
		expect(await categories(a)).toEqual([
			{ id: "c", name: "Drinks", version: 99, deleted: 1 },
			{ id: "empty", name: "Empty", version: 100, deleted: 1 },
			{ id: "later", name: "Name of later", version: 100, deleted: 0 },
			{ id: "new", name: "Name of new", version: 99, deleted: 0 },
		]);
		expect(faults).toHaveLength(1);
		await all();
	});

	/** Fails at the nth savepoint, like a full disk. */
	const failing = (tx: Connection, nth: number): Connection => {
		let count = 0;
		return {
			get: tx.get.bind(tx),
			all: tx.all.bind(tx),
			run: tx.run.bind(tx),
			savepoint: (fn) => {
				count += 1;
				if (count === nth) throw new ShopError("storage_full", "No room");
				return tx.savepoint(fn);
			},
		};
	};

	test.each([1, 2, 3])(
		"the server's rows are refused together if the disk is full at savepoint %i",
		async (nth) => {
			const { a, write, faults, onFault } = await openTill();
			const before = await categories(a);
			const page = [change("bad", { row: {} }), change("new")];
			await expect(
				write((tx) => writeChanges(failing(tx, nth), shop, page, onFault)),
			).rejects.toMatchObject({ code: "storage_full" });
			expect(await categories(a)).toEqual(before);
			expect(faults).toHaveLength(nth === 3 ? 1 : 0);
		},
	);

	test("a pending mutation that can't be redone is left to the server, and only a bug is reported [REBASE-4]", async () => {
		const { server, a, write, faults, onFault } = await openTill();
		const at = new Date(server.env.now()).toISOString();
		await take(a, [["category.create", { id: "one", name: "1" }]], at);
		for (const id of ["two", "three", "four", "five"])
			await take(a, [["category.create", { id, name: id }]], at);
		await write(async (tx) => {
			const set = async (id: string, column: string, value: string | number) =>
				tx.run(
					`UPDATE stored_mutations SET ${column} = ? WHERE business_id = ? AND args LIKE ?`,
					value,
					shop,
					`%"${id}"%`,
				);
			await set("two", "name", "category.juggle");
			await set("three", "args_version", 9);
			await set("four", "args", "{");
			await undo(tx, shop);
			await redo(tx, shop, 0, onFault);
		});
		expect((await categories(a)).map(({ id }) => id)).toEqual([
			"c",
			"empty",
			"five",
			"one",
		]);
		expect(faults).toHaveLength(1);
		expect(faults[0]).toBeInstanceOf(SyntaxError);
		await expect(
			write((tx) => redo(failing(tx, 2), shop, 0, onFault)),
		).rejects.toMatchObject({ code: "storage_full" });
		expect(faults).toHaveLength(1);
	});

	test("a till's pending edit is shown on top of the server's rows", async () => {
		const { a, write, onFault } = await openTill();
		await a.till.mutate(a.caller, productUpdate, {
			id: "tea",
			set: { name: "Chai" },
		});
		await write(async (tx) => {
			await undo(tx, shop);
			await writeChanges(tx, shop, [gone("c")], onFault);
			await redo(tx, shop, 0, onFault);
		});
		expect(
			await a.rows(
				"SELECT name FROM products WHERE business_id = ? AND id = 'tea'",
				shop,
			),
		).toEqual([{ name: "Chai" }]);
	});

	test("a product that a failing disk lost under a pending edit counts in the sums again once it is put back", async () => {
		const { a, write } = await openTill();
		await write((tx) =>
			tx.run(
				"UPDATE replica SET cursor_version = 512 WHERE business_id = ?",
				shop,
			),
		);
		const set = { name: "Chai" };
		await a.till.mutate(a.caller, productUpdate, { id: "tea", set });
		await write((tx) =>
			tx.run("DELETE FROM products WHERE business_id = ? AND id = 'tea'", shop),
		);
		await settleBlocks(a.store, shop);

		await write((tx) => undo(tx, shop));
		await assertBlocksRight(a.store, shop);
	});
});
