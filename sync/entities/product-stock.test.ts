import { expect, test } from "vitest";
import { derivedId } from "../protocol/ids.ts";
import {
	addMilk,
	madeAt,
	message,
	openTestShop,
	openTestTill,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { productCreate, productUpdate } from "./product.ts";

const bread = { id: "bread", name: "Bread", buyingPrice: 30, sellingPrice: 40 };
const created = "2026-11-20T09:00:00.000Z";

function push(server: TestShop, id: string, name: string, args: object) {
	return pushOne(server, message(id, name, args));
}

function sell(server: TestShop, id: string, productId: string, quantity = 1) {
	const args = saleArgs(id, [{ productId, quantity, price: 0, cost: 0 }]);
	return push(server, `m-${id}`, "sale.create", args);
}

async function quantities({ rows }: Pick<TestShop, "rows">) {
	const all = await rows(
		"SELECT business_id, id, quantity FROM products ORDER BY business_id DESC, id",
	);
	return all.map(({ business_id: shop, id, quantity }) => [
		...[shop, id, Number(quantity) / 1e6],
	]);
}

test("a product that arrives after its sales starts from the movements with its shop and id", async () => {
	const server = await openTestShop();
	const other = await openTestShop({ file: server.file, businessId: "b" });
	await sell(server, "s1", "bread", 2);
	await sell(server, "s2", "bread", 3);
	await sell(server, "s3", "salt", 7);
	await sell(other, "s1", "bread", 11);
	for (const one of [server, other])
		await push(one, "m-bread", "product.create", { ...bread, quantity: 20 });
	await push(server, "m-salt", "product.create", { ...bread, id: "salt" });
	expect(await quantities(server)).toEqual([
		["shop-1", "bread", 15],
		["shop-1", "salt", -7],
		["b", "bread", 9],
	]);
});

test("a product whose earlier sales add up to more than can be counted is refused", async () => {
	const server = await openTestShop();
	for (let i = 0; i < 11; i += 1)
		expect(await sell(server, `s${i}`, "bread", 9e8)).toMatchObject({
			status: "applied",
		});
	expect(
		await push(server, "m", "product.create", { ...bread, quantity: 0 }),
	).toMatchObject({ error: { code: "invalid_args", field: "quantity" } });
	expect(await quantities(server)).toEqual([]);
});

test("a product is stored with all its arguments, and opens with a movement if it has stock", async () => {
	const server = await openTestShop();
	await push(server, "m1", "product.create", {
		...bread,
		sku: "B-1",
		quantity: -1.5,
		lowStock: 2.5,
		isService: true,
		categoryId: "baked",
		imageUrl: "https://example.com/bread.png",
		thumbnailUrl: "https://example.com/bread-small.png",
		taxClass: "B",
		unit: "kg",
	});
	await push(server, "m2", "product.create", {
		...{ id: "tea", name: "ΧΑΪΣ", buyingPrice: null, sellingPrice: null },
	});
	const stamp = { business_id: "shop-1", created_at: madeAt, deleted: 0 };
	const all = { ...stamp, updated_at: madeAt, edits: "{}", is_active: 1 };
	expect(await server.rows("SELECT * FROM products ORDER BY id")).toEqual([
		{
			...all,
			id: "bread",
			name: "Bread",
			search_name: "bread",
			sku: "B-1",
			buying_price: 30_000_000,
			selling_price: 40_000_000,
			quantity: -1_500_000,
			low_stock: 2_500_000,
			is_service: 1,
			category_id: "baked",
			image_url: "https://example.com/bread.png",
			thumbnail_url: "https://example.com/bread-small.png",
			tax_class: "B",
			unit: "kg",
			version: 2,
		},
		{
			...all,
			id: "tea",
			name: "ΧΑΪΣ",
			search_name: "χαισ",
			sku: null,
			buying_price: null,
			selling_price: null,
			quantity: 0,
			low_stock: 5_000_000,
			unit: null,
			is_service: 0,
			category_id: null,
			image_url: null,
			thumbnail_url: null,
			tax_class: null,
			version: 3,
		},
	]);
	expect(await server.rows("SELECT * FROM stock_movements")).toEqual([
		{
			...stamp,
			id: derivedId("m1", 1),
			product_id: "bread",
			delta: -1_500_000,
			reason: "opening",
			note: null,
			sale_id: null,
			item_id: null,
			user_id: "user-1",
			cost: null,
			delivery_id: null,
			version: 2,
		},
	]);
});

test("setting a stock level records the change from the level that the writer saw", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const set = (id: string, quantity: number, seenQuantity?: number) =>
		push(server, id, "product.update", {
			id: "milk",
			set: { quantity, lowStock: 3 },
			...(seenQuantity === undefined ? {} : { seenQuantity }),
		});
	await set("m1", 4, 10);
	await set("m2", 4, 5);
	// Without seenQuantity, the current level counts as seen.
	await set("m3", 8);
	await set("m4", 8);
	expect(await quantities(server)).toEqual([["shop-1", "milk", 8]]);
	expect(
		await server.rows(
			"SELECT id, delta, reason, created_at, version FROM stock_movements WHERE reason <> 'opening' ORDER BY version",
		),
	).toEqual(
		[-6_000_000, -1_000_000, 5_000_000].map((delta, i) => ({
			...{ id: derivedId(`m${i + 1}`, 1), delta, reason: "adjustment" },
			...{ created_at: madeAt, version: 3 + i },
		})),
	);
	const before = await server.shop.digest(server.caller);
	for (const [quantity, seenQuantity] of [
		[1e9, -9e9],
		[-1e9, 9_007_199_254],
	])
		expect(
			await push(server, `far ${quantity}`, "product.update", {
				...{ id: "milk", set: { name: "Cream", quantity }, seenQuantity },
			}),
		).toMatchObject({
			error: { code: "invalid_args", field: "set.quantity" },
		});
	expect(await server.shop.digest(server.caller)).toMatchObject({
		digest: before.digest,
	});
});

test("a till sets a stock level against what it saw, so that sales in between stay sold [FACT-5]", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const till = await openTestTill(server);
	await till.till.sync();
	await sell(server, "s", "milk", 2);
	const set = (
		set: { quantity?: number; name?: string },
		more: { seenQuantity?: number } = {},
	) =>
		till.till.mutate(till.caller, productUpdate, { id: "milk", set, ...more });
	await set({ quantity: 12 });
	await set({ quantity: 3 }, { seenQuantity: 4 });
	await set({ name: "Cream" });
	await till.till.sync();
	expect(await quantities(server)).toEqual([["shop-1", "milk", 9]]);
	expect(
		await server.rows(
			"SELECT args FROM mutations WHERE name = 'product.update' ORDER BY version",
		),
	).toEqual(
		[
			{ id: "milk", seenQuantity: 10, set: { quantity: 12 } },
			{ id: "milk", seenQuantity: 4, set: { quantity: 3 } },
			{ id: "milk", set: { name: "Cream" } },
		].map((args) => ({ args: JSON.stringify(args) })),
	);
});

test("a manual adjustment is stored with its reason, its note and its author", async () => {
	const server = await openTestShop();
	const other = await openTestShop({ file: server.file, businessId: "b" });
	for (const one of [server, other]) await addMilk(one);
	const adjust = (id: string, more: object) =>
		push(server, `m-${id}`, "stock.adjust", {
			...{ id, productId: "milk", delta: -0.25, reason: "damage" },
			...more,
		});
	await adjust("a", { note: "Leaked" });
	await adjust("b", { delta: 1e9, reason: "count" });
	await adjust("c", { delta: -1e9, reason: "other" });
	const row = {
		...{ business_id: "shop-1", product_id: "milk", deleted: 0, note: null },
		...{ sale_id: null, item_id: null, user_id: "user-1", created_at: madeAt },
		...{ cost: null, delivery_id: null },
	};
	expect(
		await server.rows(
			"SELECT * FROM stock_movements WHERE reason <> 'opening' ORDER BY version",
		),
	).toEqual([
		{
			...{ ...row, id: "a", delta: -250_000, reason: "damage" },
			...{ note: "Leaked", version: 3 },
		},
		{ ...row, id: "b", delta: 1e15, reason: "count", version: 4 },
		{ ...row, id: "c", delta: -1e15, reason: "other", version: 5 },
	]);
	expect(await quantities(server)).toEqual([
		["shop-1", "milk", 9.75],
		["b", "milk", 10],
	]);
	for (const [i, reason] of ["received", "theft", "return"].entries())
		expect(await adjust(`r${i}`, { reason })).toMatchObject({
			status: "applied",
		});
});

test("a product with only a name and prices gets the defaults", async () => {
	const { shop, caller, rows } = await openTestShop();
	await shop.mutate(caller, productCreate, bread);
	expect(
		await rows("SELECT quantity, low_stock, created_at FROM products"),
	).toEqual([{ quantity: 0, low_stock: 5_000_000, created_at: created }]);
	expect(await rows("SELECT 1 AS one FROM stock_movements")).toEqual([]);
});
