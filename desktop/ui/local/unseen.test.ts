import { describe, expect, test } from "vitest";
import type { Category } from "../../../sync/entities/category.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { OutboxEntry } from "./database.ts";
import { withUnseen } from "./unseen.ts";

const at = "2026-03-01T08:00:00.000Z";
const stamps = { businessId: "b", createdAt: at, updatedAt: at };
const dairy = { id: "dairy", name: "Dairy", sortOrder: 0, ...stamps };
const milk: Product = {
	id: "milk",
	name: "Milk",
	sku: null,
	buyingPrice: 40,
	sellingPrice: 65,
	quantity: 20,
	lowStock: 5,
	isService: false,
	isActive: true,
	categoryId: "dairy",
	category: { id: "dairy", name: "Dairy", sortOrder: 0 },
	imageUrl: null,
	thumbnailUrl: null,
	...stamps,
};
const shop = {
	products: new Map([["milk", milk]]),
	categories: new Map<string, Category>([["dairy", dairy]]),
};

const made = (
	name: string,
	args: unknown,
	more: Partial<OutboxEntry> = {},
): OutboxEntry => ({ id: name, name, args, at, state: "pending", ...more });

/** What is shown of milk after some mutations, the feed being at version 10. */
function milkAfter(...entries: OutboxEntry[]) {
	const { products } = withUnseen(shop, entries, 10);
	return products.find(({ id }) => id === "milk");
}

const soldOne = made("sale.create", {
	items: [{ productId: "milk", quantity: 1.5, isService: false }],
});
const priced = (sellingPrice: number, more?: Partial<OutboxEntry>) =>
	made("product.update", { id: "milk", set: { sellingPrice } }, more);

describe("what was made here and is not in the feed yet", () => {
	test.each<[string, OutboxEntry[], Partial<Product>]>([
		["a sale", [soldOne], { quantity: 18.5 }],
		[
			"stock that came in",
			[made("stock.adjust", { productId: "milk", delta: 4 })],
			{ quantity: 24 },
		],
		["a price, the last one", [priced(70), priced(99)], { sellingPrice: 99 }],
		[
			"a count, and a sale after it",
			[
				made("product.update", {
					id: "milk",
					set: { quantity: 30 },
					seenQuantity: 20,
				}),
				soldOne,
			],
			{ quantity: 28.5 },
		],
		["an end", [made("product.delete", { id: "milk" })], { isActive: false }],
		[
			"another category's name",
			[made("category.update", { id: "dairy", set: { name: "Cold" } })],
			{ category: { id: "dairy", name: "Cold", sortOrder: 0 } },
		],
		[
			"a category less",
			[made("category.delete", { id: "dairy" })],
			{ categoryId: null, category: null },
		],
		[
			"what the server took, but the feed has not brought",
			[priced(99, { state: "acknowledged", version: 11 })],
			{ sellingPrice: 99 },
		],
	])("%s is shown", (_, entries, shown) => {
		expect(milkAfter(...entries)).toEqual({ ...milk, ...shown });
		expect(shop.products.get("milk")).toBe(milk);
	});

	test.each<[string, OutboxEntry]>([
		["refused", priced(99, { state: "rejected" })],
		["brought by the feed", priced(99, { state: "acknowledged", version: 10 })],
		[
			"of a product that is not here",
			made("product.update", { id: "tea", set: { name: "Tea" } }),
		],
	])("what was %s is not shown", (_, entry) => {
		expect(milkAfter(entry)).toBe(milk);
	});

	test("a new product of a new category is shown, and sold", () => {
		const { products, categories } = withUnseen(
			shop,
			[
				made("category.create", { id: "dry", name: "Dry" }),
				made("product.create", {
					id: "rice",
					name: "Rice",
					buyingPrice: 1,
					sellingPrice: 2.5,
					quantity: 3,
					categoryId: "dry",
				}),
				made("sale.create", {
					items: [{ productId: "rice", quantity: 1, isService: false }],
				}),
			],
			10,
		);
		expect(categories.map(({ id }) => id)).toEqual(["dairy", "dry"]);
		expect(products.find(({ id }) => id === "rice")).toMatchObject({
			name: "Rice",
			sellingPrice: 2.5,
			quantity: 2,
			lowStock: 5,
			isActive: true,
			category: { name: "Dry" },
		});
	});
});
