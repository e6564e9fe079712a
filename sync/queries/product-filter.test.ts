import { expect, test } from "vitest";
import { productCreate, productUpdate } from "../entities/product.ts";
import { saleVoid } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, testEnv } from "../testing/shop.ts";
import { productCounts, productList } from "./product.ts";
import { productFind } from "./product-search.ts";

const dayMs = 86_400_000;

/** A shop with a product for each filter, made a hundred days ago. */
async function open() {
	const env = testEnv("2026-11-20T09:00:00.000Z");
	const now = env.now;
	let daysAgo = 100;
	env.now = () => now() - daysAgo * dayMs;
	const { shop, caller, store } = await openTestShop({ env });
	const plain = { buyingPrice: 40, sellingPrice: 50, quantity: 20, sku: "X" };
	const add = (id: string, more: object = {}) =>
		shop.mutate(caller, productCreate, { id, name: id, ...plain, ...more });
	for (const [id, more] of Object.entries({
		fine: {},
		unpriced: { sellingPrice: null },
		cheap: { sellingPrice: 39.99 },
		free: { buyingPrice: null },
		uncoded: { sku: null },
		few: { quantity: 5 },
		owed: { quantity: -1 },
		visit: { isService: true, quantity: 0, sku: null },
		gone: { sellingPrice: null, sku: null, quantity: -1 },
	}))
		await add(id, more);
	await shop.mutate(caller, productUpdate, {
		...{ id: "gone", set: { isActive: false } },
	});
	let sold = 0;
	return {
		...{ shop, caller, store, add },
		at: (days: number) => {
			daysAgo = days;
		},
		async sell(...products: string[]) {
			sold += 1;
			await shop.mutate(caller, saleCreate, {
				id: `s${sold}`,
				items: products.map((productId) => ({
					...{ id: productId, productId, name: productId },
					...{ quantity: 1, price: 50, cost: 40 },
				})),
			});
			return `s${sold}`;
		},
		async found(
			filter: (typeof productList)["args"]["shape"]["filter"]["_input"],
		) {
			const { rows } = await shop.ask(caller, productList, { filter });
			return rows.map(({ id }) => id);
		},
	};
}

test.each([
	["noPrice", ["unpriced"]],
	["underCost", ["cheap"]],
	["noCode", ["uncoded"]],
	["low", ["few", "owed"]],
	["negative", ["owed"]],
] as const)("the filter %s finds what it names", async (filter, wanted) => {
	const { shop, caller, found } = await open();
	expect(await found(filter)).toEqual(wanted);
	const counts = await shop.ask(caller, productCounts, {});
	expect(counts[filter]).toBe(wanted.length);
	expect(counts).toMatchObject({ active: 8, inactive: 1 });
	const { products } = await shop.ask(caller, productFind, {
		...{ words: wanted[0], filter },
	});
	expect(products.map(({ id }) => id)).toEqual([wanted[0]]);
});

test("goods are unsold if they were there for 90 days and sold in none of them", async () => {
	const { at, add, sell, found, shop, caller } = await open();
	await sell("few");
	at(91);
	await sell("owed");
	at(80);
	await add("new");
	await sell("fine", "unpriced", "cheap");
	const voided = await sell("free");
	await shop.mutate(caller, saleVoid, { id: "v", saleId: voided, reason: "x" });
	at(0);
	expect(await found("unsold")).toEqual(["few", "owed", "uncoded"]);
	expect(await shop.ask(caller, productCounts, {})).toMatchObject({
		unsold: 3,
	});
	await sell("uncoded");
	expect(await found("unsold")).toEqual(["few", "owed"]);
});

test("a category's counts leave out the others", async () => {
	const { shop, caller } = await open();
	await shop.mutate(caller, productUpdate, {
		...{ id: "few", set: { categoryId: "dairy" } },
	});
	expect(
		await shop.ask(caller, productCounts, { categoryId: "dairy" }),
	).toMatchObject({ active: 1, inactive: 0, low: 1, noCode: 0 });
});

test("each product's look for sales uses the index by product", async () => {
	const { store, caller, sell } = await open();
	await sell("fine");
	const plans: string[] = [];
	await store.read((tx) =>
		productList.run(
			{
				businessId: caller.businessId,
				now: Date.parse("2026-11-20T09:00:00.000Z"),
				tx: {
					...tx,
					get: (sql, ...params) => tx.get(sql, ...params),
					async all(sql, ...params) {
						if (sql.includes("AS sold"))
							for (const { detail } of await tx.all(
								`EXPLAIN QUERY PLAN ${sql}`,
								...params,
							))
								plans.push(String(detail));
						return tx.all(sql, ...params);
					},
				},
			},
			{ filter: "unsold", show: "active", limit: 50 },
		),
	);
	const text = plans.join("\n");
	expect(text).toMatch(/SEARCH line USING (COVERING )?INDEX lines_by_product/);
	expect(text).toMatch(/SEARCH sale USING PRIMARY KEY/);
	expect(text).not.toMatch(/SCAN (line|sold|sale)\b/);
});
