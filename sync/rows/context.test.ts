import { expect, test } from "vitest";
import { categoryCreate } from "../entities/category.ts";
import { product, productCreate, productUpdate } from "../entities/product.ts";
import { derivedId } from "../protocol/ids.ts";
import { openShop } from "../shop.ts";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { openBufferedIncrements } from "./buffered-increments.ts";
import { openContext } from "./context.ts";

const moment = (minute: number) =>
	`2026-11-20T09:${String(minute).padStart(2, "0")}:00.000Z`;

async function openLateShop(): Promise<TestShop> {
	const server = await openTestShop();
	await addMilk(server);
	server.env.pass(50 * 60_000);
	return server;
}

let count = 0;

function edit(server: TestShop, minute: number, set: object) {
	count += 1;
	const args = { id: "milk", set };
	return pushOne(
		server,
		message(`edit-${count}`, "product.update", args, { at: moment(minute) }),
	);
}

async function milk({ rows }: TestShop, columns: string) {
	const [row] = await rows(`SELECT ${columns} FROM products`);
	return row;
}

test("each field keeps its newest edit with its moment and the value before [FACT-6]", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "Whole milk", sku: "M-1" });
	await edit(server, 20, { name: "Old name", sellingPrice: 55 });
	await edit(server, 40, { sku: null });
	const row = await milk(
		server,
		"name, search_name, sku, selling_price, edits, updated_at, version",
	);
	expect({ ...row, edits: JSON.parse(row?.edits as string) }).toEqual({
		name: "Whole milk",
		search_name: "whole milk",
		sku: null,
		selling_price: 55_000_000,
		edits: {
			name: { at: moment(30), was: "Milk" },
			sku: { at: moment(40), was: "M-1" },
			sellingPrice: { at: moment(20), was: 50_000_000 },
		},
		updated_at: moment(40),
		version: 5,
	});
});

test("of two edits with the same moment, the one applied last wins [FACT-6]", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "First" });
	await edit(server, 30, { name: "Second" });
	expect(await milk(server, "name, version")).toEqual({
		name: "Second",
		version: 4,
	});
});

test("a product's updatedAt stays when an older edit of another field arrives", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "Later" });
	await edit(server, 20, { lowStock: 9 });
	expect(await milk(server, "low_stock, updated_at, version")).toEqual({
		low_stock: 9_000_000,
		updated_at: moment(30),
		version: 4,
	});
});

test("an edit that changes nothing, or is older than all edits of its fields, leaves the row unchanged", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "Later" });
	const before = await milk(server, "*");
	await edit(server, 20, { name: "Earlier" });
	await edit(server, 40, {});
	await server.shop.mutate(server.caller, productUpdate, {
		id: "milk",
		set: { name: undefined },
	});
	expect(await milk(server, "*")).toEqual(before);
	await server.shop.mutate(server.caller, productUpdate, {
		id: "milk",
		set: { name: undefined, lowStock: 2 },
	});
	expect(await milk(server, "name, low_stock")).toEqual({
		name: "Later",
		low_stock: 2_000_000,
	});
});

test("edits of a product do not touch another shop's product with the same id", async () => {
	const server = await openLateShop();
	const other = await openTestShop({
		file: server.file,
		businessId: "b",
		env: server.env,
	});
	await addMilk(other);
	await edit(other, 40, { name: "Theirs", sellingPrice: 70 });
	await edit(server, 30, { name: "Ours" });
	await edit(server, 45, { sku: "ours" });
	await edit(other, 35, { sku: "theirs" });
	const sold = saleArgs("s", [{ productId: "milk", price: 50 }]);
	await pushOne(server, message("m", "sale.create", sold, { at: moment(45) }));
	const names =
		"SELECT business_id, name, sku, quantity FROM products ORDER BY name";
	expect(await server.rows(names)).toEqual([
		{ business_id: "shop-1", name: "Ours", sku: "ours", quantity: 9_000_000 },
		{ business_id: "b", name: "Theirs", sku: "theirs", quantity: 10_000_000 },
	]);
	expect(await server.rows("SELECT * FROM inbox_items")).toEqual([]);
});

test("errors for a used id and a missing record name the entity in plain words", async () => {
	const server = await openLateShop();
	const { shop, caller } = server;
	const bag = { id: "milk", name: "Bag", buyingPrice: 1, sellingPrice: 2 };
	await expect(shop.mutate(caller, productCreate, bag)).rejects.toMatchObject({
		message: "Another product has this id",
		code: "id_reused",
		field: "id",
	});
	const adjust = { id: "a", productId: "milk", delta: 1, reason: "count" };
	const pushAdjust = (id: string, more: object = {}) =>
		pushOne(server, message(id, "stock.adjust", { ...adjust, ...more }));
	await pushAdjust("m1");
	expect(await pushAdjust("m2", { delta: 2 })).toMatchObject({
		error: {
			code: "id_reused",
			message: "Another stock movement has this id",
			field: "id",
		},
	});
	expect(await pushAdjust("m3", { id: "b", productId: "none" })).toMatchObject({
		error: {
			code: "not_found",
			message: "Product not found",
			field: "productId",
		},
	});
});

test("deleting a category removes it from its products and leaves a tombstone with the version", async () => {
	const server = await openLateShop();
	const { shop, caller } = server;
	for (const id of ["dairy", "baked"])
		await shop.mutate(caller, categoryCreate, { id, name: id });
	await shop.mutate(caller, productCreate, {
		...{ id: "bread", name: "Bread", buyingPrice: 1, sellingPrice: 2 },
		categoryId: "baked",
	});
	await edit(server, 45, { categoryId: "dairy" });
	await pushOne(server, message("gone", "category.delete", { id: "dairy" }));
	const inTable = (table: string, columns: string) =>
		server.rows(`SELECT id, ${columns} FROM ${table} ORDER BY id`);
	expect(await inTable("products", "category_id, version")).toEqual([
		{ id: "bread", category_id: "baked", version: 5 },
		{ id: "milk", category_id: null, version: 7 },
	]);
	expect(await inTable("categories", "name, deleted, version")).toEqual([
		{ id: "baked", name: "baked", deleted: 0, version: 4 },
		{ id: "dairy", name: "dairy", deleted: 1, version: 7 },
	]);
});

test("a batch's earlier sales are visible to its stock edits and to low-stock listeners", async () => {
	const server = await openLateShop();
	const { store, env, caller } = server;
	const told: unknown[] = [];
	const shop = openShop({
		store,
		env,
		async onNotice(tx, businessId, notice) {
			if (notice.code !== "low_stock") return;
			const { id, quantity } = notice;
			const row = await tx.get(
				"SELECT quantity FROM products WHERE business_id = ? AND id = ?",
				...[businessId, id],
			);
			told.push([quantity, row?.quantity]);
		},
	});
	const sell = (id: string) =>
		message(id, "sale.create", saleArgs(id, [{ productId: "milk" }]));
	const count = { id: "milk", set: { quantity: 7 } };
	await shop.push(caller, {
		mutations: [
			...["s1", "s2"].map(sell),
			message("count", "product.update", count),
			...["s3", "s4", "s5"].map(sell),
		],
	});
	expect(
		await server.rows(
			"SELECT delta FROM stock_movements WHERE reason = 'adjustment'",
		),
	).toEqual([{ delta: -1_000_000 }]);
	expect(await milk(server, "quantity, version")).toEqual({
		quantity: 4_000_000,
		version: 2,
	});
	expect(told).toEqual([[5_000_000, 5_000_000]]);
});

test("a mutation refused in the middle of its writes leaves nothing, and the next ones are applied", async () => {
	const server = await openLateShop();
	const { shop, caller, store } = server;
	for (let i = 0; i < 9; i += 1)
		await pushOne(
			server,
			message(
				`m${i}`,
				"sale.create",
				saleArgs(`s${i}`, [
					{ productId: "bread", quantity: 9e8, price: 0, cost: 0 },
				]),
			),
		);
	const tenders = ["CASH", "CARD"].map((method) => ({ method, amount: 25 }));
	const paid = (id: string) => ({ ...saleArgs(id), tenders });
	await pushOne(server, message("paid", "sale.create", paid("paid")));
	// The id that the first payment of the sale would have.
	await store.write((tx) =>
		tx.run(
			"UPDATE payments SET id = ? WHERE fact_id = 'paid' AND method = 'CASH'",
			derivedId("taken", 1),
		),
	);
	const before = await shop.digest(caller);
	const refused = [
		message("edited", "product.update", {
			...{ id: "milk", set: { name: "Cream", quantity: 1e9 } },
			seenQuantity: -9e9,
		}),
		message("opened", "product.create", {
			...{ id: "bread", name: "Bread", buyingPrice: 1, sellingPrice: 2 },
			quantity: -1e9,
		}),
		message("taken", "sale.create", paid("s")),
	];
	for (const one of refused)
		expect(await pushOne(server, one)).toMatchObject({ status: "rejected" });
	expect(await shop.digest(caller)).toMatchObject({ digest: before.digest });
	const { results } = await shop.push(caller, {
		mutations: [
			...refused.map((one) => ({ ...one, id: `${one.id} again` })),
			message("last", "category.create", { id: "c", name: "C" }),
		].filter(({ id }) => id !== "taken again"),
	});
	expect(results.map(({ status }) => status)).toEqual([
		...["rejected", "rejected", "applied"],
	]);
});

test("a mutation's additions are visible to its later reads and writes", async () => {
	const { store, caller } = await openLateShop();
	const { businessId } = caller;
	await store.write(async (tx) => {
		const increments = openBufferedIncrements(tx, businessId);
		let writes = 0;
		const onWrite = () => {
			writes += 1;
		};
		const stamp = { mutationId: "m", at: moment(30), version: 9 };
		const options = { ...stamp, increments, onWrite };
		const context = openContext(tx, { ...caller, ...options });
		const stored = () => tx.get("SELECT quantity, version FROM products");
		const addTwice = async () => {
			for (let i = 0; i < 2; i += 1)
				await context.add(product, "milk", "quantity", 1, stamp.at);
		};
		await addTwice();
		expect(await context.all("SELECT quantity FROM products")).toEqual([
			{ quantity: 10_000_002 },
		]);
		await addTwice();
		await context.update(product, "milk", { name: "Cream" });
		expect(await stored()).toEqual({ quantity: 10_000_004, version: 9 });
		await addTwice();
		await context.remove(product, "milk");
		expect(await stored()).toEqual({ quantity: 10_000_006, version: 9 });
		expect(writes).toBe(8);
	});
});
