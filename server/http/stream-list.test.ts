import { expect, test } from "vitest";
import { productCreate } from "../../sync/entities/product.ts";
import { saleCreate } from "../../sync/entities/sale.ts";
import { twoShops } from "../testing/server.ts";

test("a list of sales longer than a page has each sale once, newest first", async () => {
	const { server, asha } = await twoShops();
	const ids = Array.from({ length: 1_200 }, (_, i) => `sale-${i}`);
	await server.shop.mutateAll(
		asha.caller,
		ids.map((id) => ({
			mutation: saleCreate,
			args: {
				id,
				items: [{ id: "1", name: "Tea", quantity: 1, price: 5, cost: 4 }],
			},
		})),
	);
	const all = await server.rows(
		"SELECT id FROM sales WHERE business_id = ? ORDER BY created_at DESC, id DESC",
		asha.businessId,
	);
	const answer = await server.ask("GET", "/api/sales?limit=1100&offset=50", {
		as: asha,
	});
	const { sales, total } = answer.body as {
		sales: { id: string; items: unknown[] }[];
		total: number;
	};
	expect(total).toBe(1_200);
	expect(sales.map(({ id }) => id)).toEqual(
		all.slice(50, 1_150).map(({ id }) => id),
	);
	expect(sales.every(({ items }) => items.length === 1)).toBe(true);
});

test("lists and exports of products longer than a page have each product once, by name", async () => {
	const { server, asha } = await twoShops();
	await server.shop.mutateAll(
		asha.caller,
		Array.from({ length: 1_100 }, (_, i) => ({
			mutation: productCreate,
			args: {
				id: `p-${i}`,
				name: i % 2 ? "Sukari" : "sukari",
				buyingPrice: 1,
				sellingPrice: 2,
			},
		})),
	);
	const rows = await server.rows(
		"SELECT id FROM products WHERE business_id = ? ORDER BY search_name, name, id",
		asha.businessId,
	);
	const ids = rows.map(({ id }) => id);
	const list = await server.ask("GET", "/api/products", { as: asha });
	expect((list.body as { id: string }[]).map(({ id }) => id)).toEqual(ids);
	const file = await server.ask("GET", "/api/products.csv", { as: asha });
	const lines = file.text.trim().split("\r\n").slice(1);
	expect(lines.map((line) => line.split(",").at(-1))).toEqual(ids);
});

test("a file that fails before its first line is answered as a failure, not as a file", async () => {
	const { server, asha } = await twoShops();
	await server.shop.store.write(async (tx) => {
		await tx.run("UPDATE businesses SET time_zone = 'Nowhere/Known'");
		await tx.run("ALTER TABLE product_codes RENAME COLUMN code TO gone");
	});
	for (const path of ["/api/sales-history.csv", "/api/products.csv"]) {
		const { status, headers, body } = await server.ask("GET", path, {
			as: asha,
		});
		expect({ path, status, body }).toEqual({
			...{ path, status: 500, body: { error: expect.any(String) } },
		});
		expect(headers.get("content-disposition")).toBeNull();
	}
});
