import { expect, test } from "vitest";
import { productCreate } from "../entities/product.ts";
import { openShop } from "../shop.ts";
import { addMilk, message, openTestShop, saleArgs } from "../testing/shop.ts";

/** All mutations that read or write a product between its sales. */
const batch = [
	message("m1", "sale.create", saleArgs("s1", [{ productId: "milk" }])),
	message("m2", "sale.create", saleArgs("s2", [{ productId: "milk" }])),
	message(
		"m3",
		"product.update",
		{ id: "milk", set: { sellingPrice: 60 } },
		{ at: "2026-11-20T08:00:01.000Z" },
	),
	message(
		"m4",
		"sale.create",
		saleArgs("s3", [{ productId: "milk", price: 50 }, { productId: "milk" }]),
		{ at: "2026-11-20T08:00:02.000Z" },
	),
	message("m5", "product.update", { id: "milk", set: { quantity: 3 } }),
	message("m6", "sale.create", saleArgs("s4", [{ productId: "bread" }])),
	message("m7", "product.create", {
		id: "bread",
		name: "Bread",
		buyingPrice: 30,
		sellingPrice: 40,
		quantity: 5,
	}),
	message("m8", "sale.create", saleArgs("s5", [{ productId: "bread" }])),
	message("m9", "sale.create", saleArgs("s6", [{ productId: "bread" }])),
	message("m10", "sale.void", { id: "v1", saleId: "s2", reason: "Twice" }),
	message("m11", "stock.adjust", {
		id: "a1",
		productId: "milk",
		delta: -9,
		reason: "damage",
	}),
	message(
		"m12",
		"sale.create",
		saleArgs("s7", [{ productId: "milk", isService: true }]),
	),
	message("m13", "product.delete", { id: "milk" }),
	message("m14", "sale.create", saleArgs("s8", [{ productId: "milk" }])),
	message("m15", "category.create", { id: "c", name: "Baked" }),
	message("m16", "product.update", { id: "bread", set: { categoryId: "c" } }),
	message("m17", "sale.create", saleArgs("s9", [{ productId: "bread" }])),
	message("m18", "sale.create", saleArgs("s10", [{ productId: "bread" }])),
	message("m19", "category.delete", { id: "c" }),
];

const everything = ["products", "stock_movements", "inbox_items"];

test("a batch leaves the same rows as its mutations one by one", async () => {
	const [together, apart] = [await openTestShop(), await openTestShop()];
	for (const server of [together, apart]) await addMilk(server);
	const { results } = await together.shop.push(together.caller, {
		mutations: batch,
	});
	// A rejected mutation would make the batch run one by one too.
	expect(results.filter(({ status }) => status !== "applied")).toEqual([]);
	for (const mutation of batch)
		await apart.shop.push(apart.caller, { mutations: [mutation] });
	const rowsOf = async ({ rows }: typeof apart) => {
		const all = everything.map((table) =>
			rows(
				`SELECT * FROM ${table} WHERE id NOT IN (SELECT id FROM stock_ledger WHERE reason = 'opening') ORDER BY id`,
			),
		);
		return Promise.all(all);
	};
	expect(await rowsOf(together)).toEqual(await rowsOf(apart));
	const [products] = await rowsOf(apart);
	expect(products).toMatchObject([
		{ id: "bread", quantity: 0, version: 21 },
		{ id: "milk", quantity: -6_000_000, version: 15 },
	]);
});

test("a mutation that fails in a batch does not change the sums of the others", async () => {
	const server = await openTestShop();
	await addMilk(server);
	const tooMuch = { id: "milk", set: { quantity: 9e8 }, seenQuantity: 0 };
	const { results } = await server.shop.push(server.caller, {
		mutations: [
			message("m1", "sale.create", saleArgs("s1", [{ productId: "milk" }])),
			...Array.from({ length: 11 }, (_, n) =>
				message(`n${n}`, "product.update", tooMuch),
			),
			message("m2", "sale.create", saleArgs("s2", [{ productId: "milk" }])),
		],
	});
	const applied = results.filter(({ status }) => status === "applied");
	expect(results.at(-1)?.status).toBe("applied");
	expect(applied.length).toBeLessThan(results.length);
	const [milk] = await server.rows("SELECT quantity FROM products");
	expect(milk?.quantity).toBe(8_000_000 + (applied.length - 2) * 9e14);
});

test("sales are recorded although their stock is too large to count, alone and in a batch", async () => {
	const [together, apart] = [await openTestShop(), await openTestShop()];
	const line = { productId: "milk", price: 1, cost: 1 };
	const sales = Array.from({ length: 11 }, (_, n) =>
		message(
			`m${n}`,
			"sale.create",
			saleArgs(`s${n}`, [{ ...line, quantity: 9e8 }]),
		),
	);
	for (const server of [together, apart]) await addMilk(server);
	await together.shop.push(together.caller, { mutations: sales });
	for (const sale of sales)
		await apart.shop.push(apart.caller, { mutations: [sale] });
	for (const { rows } of [together, apart]) {
		expect(await rows("SELECT 1 AS one FROM sales")).toHaveLength(11);
		// Ten times 900 million and the opening ten bottles are less than 2^53 millionths.
		expect(await rows("SELECT quantity FROM products")).toEqual([
			{ quantity: 10_000_000 - 10 * 9e14 },
		]);
		const [moved] = await rows("SELECT sum(delta) AS delta FROM stock_ledger");
		expect(Number(moved?.delta)).toBe(10_000_000 - 10 * 9e14);
		expect(
			await rows(
				"SELECT sale_id, product_id, quantity FROM inbox_items WHERE cause = 'uncountable_stock'",
			),
		).toEqual([{ sale_id: "s10", product_id: "milk", quantity: 9e14 }]);
	}
});

test("a low-stock listener in the middle of a batch reads the sales before it from the database", async () => {
	const { store, env, caller } = await openTestShop();
	const told: unknown[] = [];
	const shop = openShop({
		store,
		env,
		async onNotice(tx, businessId, { id }) {
			const row = await tx.get(
				"SELECT quantity FROM products WHERE business_id = ? AND id = ?",
				businessId,
				id,
			);
			told.push(row?.quantity);
		},
	});
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 7,
	});
	await shop.push(caller, {
		mutations: ["s1", "s2", "s3"].map((id) =>
			message(id, "sale.create", saleArgs(id, [{ productId: "milk" }])),
		),
	});
	expect(told).toEqual([5_000_000]);
});

test("a product's updatedAt is the latest of a batch, in any order of its sales", async () => {
	const server = await openTestShop();
	await addMilk(server);
	server.env.pass(3_600_000);
	await server.shop.push(server.caller, {
		mutations: [10, 30, 20].map((minute, i) =>
			message(
				`m${i}`,
				"sale.create",
				saleArgs(`s${i}`, [{ productId: "milk" }]),
				{ at: `2026-11-20T09:${minute}:00.000Z` },
			),
		),
	});
	expect(
		await server.rows("SELECT quantity, updated_at, version FROM products"),
	).toEqual([
		{
			quantity: 7_000_000,
			updated_at: "2026-11-20T09:30:00.000Z",
			version: 2,
		},
	]);
});
