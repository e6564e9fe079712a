import { expect, test } from "vitest";
import { categoryCreate } from "./entities/category.ts";
import { productCreate, productUpdate } from "./entities/product.ts";
import {
	addMilk,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
} from "./test-shop.ts";

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

test("each field keeps its newest edit, with the moment of it and what stood there before", async () => {
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

test("of two edits of the same moment the one that comes last stands", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "First" });
	await edit(server, 30, { name: "Second" });
	expect(await milk(server, "name, version")).toEqual({
		name: "Second",
		version: 4,
	});
});

test("a product's last change stays where it was when an older edit of another field arrives", async () => {
	const server = await openLateShop();
	await edit(server, 30, { name: "Later" });
	await edit(server, 20, { lowStock: 9 });
	expect(await milk(server, "low_stock, updated_at, version")).toEqual({
		low_stock: 9_000_000,
		updated_at: moment(30),
		version: 4,
	});
});

test("an edit that changes nothing, or comes too late for all that it says, leaves the row as it was", async () => {
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

test("edits of another shop's product under the same id are its own affair", async () => {
	const server = await openLateShop();
	const other = await openTestShop({
		file: server.file,
		businessId: "b",
		env: server.env,
	});
	await addMilk(other);
	await edit(other, 40, { name: "Theirs", sellingPrice: 70 });
	await edit(server, 30, { name: "Ours" });
	const sold = saleArgs("s", [{ productId: "milk", price: 50 }]);
	await pushOne(server, message("m", "sale.create", sold, { at: moment(45) }));
	const names =
		"SELECT business_id, name, quantity FROM products ORDER BY name";
	expect(await server.rows(names)).toEqual([
		{ business_id: "shop-1", name: "Ours", quantity: 9_000_000 },
		{ business_id: "b", name: "Theirs", quantity: 10_000_000 },
	]);
	expect(await server.rows("SELECT * FROM inbox_items")).toEqual([]);
});

test("an id that is taken, and a record that is not here, are named as people know them", async () => {
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

test("a category that is deleted takes its name off its products, and leaves a tombstone in its version", async () => {
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
