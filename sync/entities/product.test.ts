import { describe, expect, test } from "vitest";
import { present, selectRows } from "../rows/rows.ts";
import { openTestShop, type TestShop } from "../testing/shop.ts";
import { businessUpdate } from "./business.ts";
import { categoryCreate, categoryDelete, categoryUpdate } from "./category.ts";
import { mutationsByName } from "./index.ts";
import {
	product,
	productCreate,
	productDelete,
	productUpdate,
} from "./product.ts";
import { stockAdjust } from "./stock.ts";

const milk = {
	id: "milk",
	name: "Milk",
	buyingPrice: 40,
	sellingPrice: 50,
	quantity: 10,
};

async function openMilkShop() {
	const server = await openTestShop();
	await server.shop.mutate(server.caller, productCreate, milk);
	return server;
}

async function shown({ store, caller }: TestShop, id = "milk") {
	return store.read(async (tx) => {
		const rows = await selectRows(
			tx,
			product,
			caller.businessId,
			"AND id = ?",
			id,
		);
		const [wire] = await present(
			tx,
			product,
			caller.businessId,
			rows.map(({ row }) => row),
		);
		return wire;
	});
}

describe("a product", () => {
	test("a product is created with the contract's defaults, and its opening stock is a movement", async () => {
		const server = await openMilkShop();
		expect(await shown(server)).toEqual({
			...milk,
			sku: null,
			lowStock: 5,
			isService: false,
			isActive: true,
			categoryId: null,
			imageUrl: null,
			thumbnailUrl: null,
			businessId: "shop-1",
			createdAt: "2026-11-20T09:00:00.000Z",
			updatedAt: "2026-11-20T09:00:00.000Z",
			category: null,
		});
		expect(
			await server.rows("SELECT reason, delta FROM stock_movements"),
		).toEqual([{ reason: "opening", delta: 10_000_000 }]);
	});

	test("a product shows its category", async () => {
		const server = await openMilkShop();
		const { shop, caller } = server;
		await shop.mutate(caller, categoryCreate, {
			id: "c",
			name: "Dairy",
			sortOrder: 3,
		});
		await shop.mutate(caller, productUpdate, {
			id: "milk",
			set: { categoryId: "c" },
		});
		expect(await shown(server)).toMatchObject({
			categoryId: "c",
			category: { id: "c", name: "Dairy", sortOrder: 3 },
		});
		await shop.mutate(caller, categoryUpdate, {
			id: "c",
			set: { name: "Cold" },
		});
		expect(await shown(server)).toMatchObject({ category: { name: "Cold" } });
		await shop.mutate(caller, categoryDelete, { id: "c" });
		expect(await shown(server)).toMatchObject({
			categoryId: null,
			category: null,
		});
	});

	test("a product created or changed after its category was deleted has none", async () => {
		const { shop, caller, rows } = await openTestShop();
		for (const id of ["dairy", "drinks"])
			await shop.mutate(caller, categoryCreate, { id, name: id });
		await shop.mutate(caller, categoryDelete, { id: "dairy" });
		const prices = { buyingPrice: 40, sellingPrice: 50 };
		for (const id of ["milk", "tea"])
			await shop.mutate(caller, productCreate, {
				id,
				name: id,
				...prices,
				categoryId: "dairy",
			});
		for (const categoryId of ["drinks", "dairy"])
			await shop.mutate(caller, productUpdate, {
				id: "milk",
				set: { categoryId },
			});
		// A category that has not arrived yet counts as present.
		await shop.mutate(caller, productUpdate, {
			id: "tea",
			set: { categoryId: "spices" },
		});
		expect(
			await rows("SELECT id, category_id FROM products ORDER BY id"),
		).toEqual([
			{ id: "milk", category_id: null },
			{ id: "tea", category_id: "spices" },
		]);
	});

	test("a product's stock changes only through the ledger [FACT-4]", async () => {
		const server = await openMilkShop();
		const { shop, caller } = server;
		await shop.mutate(caller, productUpdate, {
			id: "milk",
			set: { quantity: 4 },
		});
		await shop.mutate(caller, stockAdjust, {
			id: "a",
			productId: "milk",
			delta: -0.25,
			reason: "damage",
			note: "Leaked",
		});
		expect((await shown(server))?.quantity).toBe(3.75);
		expect(
			await server.rows(
				"SELECT reason, delta, note FROM stock_movements ORDER BY version",
			),
		).toEqual([
			{ reason: "opening", delta: 10_000_000, note: null },
			{ reason: "adjustment", delta: -6_000_000, note: null },
			{ reason: "damage", delta: -250_000, note: "Leaked" },
		]);
	});

	test("a deleted product stays inactive and can be reactivated", async () => {
		const server = await openMilkShop();
		const { shop, caller } = server;
		await shop.mutate(caller, productDelete, { id: "milk" });
		expect(await shown(server)).toMatchObject({
			isActive: false,
			name: "Milk",
		});
		await shop.mutate(caller, productUpdate, {
			id: "milk",
			set: { isActive: true },
		});
		expect(await shown(server)).toMatchObject({ isActive: true });
	});

	test("a product keeps the later of two edits of a field, whichever arrives first [FACT-6]", async () => {
		const server = await openMilkShop();
		const edit = (id: string, at: string, set: object) => ({
			id,
			name: "product.update",
			at,
			args: { id: "milk", set },
		});
		await server.shop.push(server.caller, {
			mutations: [
				edit("m1", "2026-11-20T08:30:00.000Z", {
					name: "Later",
					sellingPrice: 70,
				}),
				edit("m2", "2026-11-20T08:00:00.000Z", {
					name: "Earlier",
					lowStock: 9,
				}),
			],
		});
		expect(await shown(server)).toMatchObject({
			name: "Later",
			sellingPrice: 70,
			lowStock: 9,
		});
	});

	test("each field of a product can be edited", async () => {
		const server = await openMilkShop();
		const { shop, caller } = server;
		await shop.mutate(caller, categoryCreate, { id: "c", name: "Dairy" });
		const set = {
			...{ name: "Cream", sku: "6161", buyingPrice: 60, sellingPrice: 75 },
			...{ lowStock: 3, isService: true, isActive: false, categoryId: "c" },
			...{ imageUrl: "/cream.png", thumbnailUrl: "/cream-small.png" },
		};
		await shop.mutate(caller, productUpdate, { id: "milk", set });
		expect(await shown(server)).toMatchObject(set);
	});

	test("a product is found by its name in any case", async () => {
		const server = await openMilkShop();
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { name: "ÉCLAIR Ａ" },
		});
		expect(await server.rows("SELECT search_name FROM products")).toEqual([
			{ search_name: "eclair a" },
		]);
	});

	test("a product id can't be used twice", async () => {
		const server = await openMilkShop();
		await expect(
			server.shop.mutate(server.caller, productCreate, milk),
		).rejects.toMatchObject({ code: "id_reused", field: "id" });
		expect((await shown(server))?.quantity).toBe(10);
	});
});

describe("invalid arguments", () => {
	test.each([
		["product.create", { ...milk, id: "x", name: "" }, "name"],
		["product.create", { ...milk, id: "x", name: 5 }, "name"],
		["product.create", { ...milk, id: "x", name: "x".repeat(501) }, "name"],
		["product.create", { ...milk, id: "x", buyingPrice: -1 }, "buyingPrice"],
		[
			"product.create",
			{ ...milk, id: "x", sellingPrice: "50" },
			"sellingPrice",
		],
		["product.create", { ...milk, id: "x", lowStock: -1 }, "lowStock"],
		["product.create", { ...milk, id: "x", quantity: 1e12 }, "quantity"],
		["product.create", { ...milk, id: "x", sku: 123 }, "sku"],
		["product.create", { ...milk, id: "x", colour: "red" }, "colour"],
		["product.create", { id: "x", name: "No price" }, "buyingPrice"],
		[
			"product.update",
			{ id: "milk", set: { businessId: "other" } },
			"set.businessId",
		],
		["product.update", { id: "milk", set: { isActive: null } }, "set.isActive"],
		["product.update", { id: "milk" }, "set"],
		["product.update", { id: "other", set: {} }, "id"],
		["product.delete", { id: "other" }, "id"],
		["product.delete", {}, "id"],
		["category.create", { id: "c" }, "name"],
		["category.create", { id: "c", name: "C", sortOrder: 1.5 }, "sortOrder"],
		["category.update", { id: "other", set: { name: "C" } }, "id"],
		["category.delete", { id: "other" }, "id"],
		[
			"stock.adjust",
			{ id: "a", productId: "milk", delta: "1", reason: "count" },
			"delta",
		],
		[
			"stock.adjust",
			{ id: "a", productId: "milk", delta: 1, reason: "sale" },
			"reason",
		],
		[
			"stock.adjust",
			{ id: "a", productId: "other", delta: 1, reason: "count" },
			"productId",
		],
		["business.update", { set: { timeZone: "Mars/Olympus" } }, "set.timeZone"],
		["business.update", { set: { currency: "shillings" } }, "set.currency"],
		["business.update", { set: { cutOffHour: 24 } }, "set.cutOffHour"],
		["review.create", { id: "r", rating: 6, text: "!" }, "rating"],
		["review.create", { id: "r", rating: 5, text: "" }, "text"],
	])("%s refuses %j", async (name, args, field) => {
		const server = await openMilkShop();
		const before = await server.shop.digest(server.caller);
		const mutation = mutationsByName.get(name);
		await expect(
			server.shop.mutate(server.caller, mutation as never, args as never),
		).rejects.toMatchObject({ field });
		expect(await server.shop.digest(server.caller)).toEqual(before);
	});
});

test("the business's fields are edited like those of other records", async () => {
	const server = await openTestShop();
	await server.shop.mutate(server.caller, businessUpdate, {
		set: { name: "Mama Njeri's", cutOffHour: 3 },
	});
	expect(
		await server.rows("SELECT name, cut_off_hour, head FROM businesses"),
	).toEqual([{ name: "Mama Njeri's", cut_off_hour: 3, head: 2 }]);
});
