import { describe, expect, test } from "vitest";
import { openTestShop, type TestShop } from "../testing/shop.ts";
import { productCreate } from "./product.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";

/** A shop that sold three milk at 50 and a delivery at 100. */
async function openSoldShop() {
	const server = await openTestShop();
	const { shop, caller } = server;
	await shop.mutate(caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
	await shop.mutate(caller, saleCreate, {
		id: "s",
		items: [
			{
				id: "milk-line",
				name: "Milk",
				quantity: 3,
				price: 50,
				cost: 40,
				productId: "milk",
			},
			{
				id: "van",
				name: "Delivery",
				quantity: 1,
				price: 100,
				cost: 0,
				productId: "milk",
				isService: true,
			},
		],
	});
	return server;
}

const one = [{ id: "1", itemId: "milk-line", quantity: 1 }];

async function stock({ rows }: TestShop) {
	const [row] = await rows("SELECT quantity FROM products");
	return Number(row?.quantity) / 1e6;
}

describe("a refund", () => {
	test("a refund takes back part of a line, and returns goods only on request", async () => {
		const server = await openSoldShop();
		const { shop, caller } = server;
		await shop.mutate(caller, saleRefund, {
			id: "r1",
			saleId: "s",
			reason: "Sour",
			items: one,
		});
		expect(await stock(server)).toBe(7);
		await shop.mutate(caller, saleRefund, {
			id: "r2",
			saleId: "s",
			reason: "Too many",
			restock: true,
			items: one,
		});
		expect(await stock(server)).toBe(8);
		expect(
			await server.rows(
				"SELECT kind, total, cost, restock FROM refunds ORDER BY id",
			),
		).toEqual([
			{ kind: "refund", total: 50_000_000, cost: 40_000_000, restock: 0 },
			{ kind: "refund", total: 50_000_000, cost: 40_000_000, restock: 1 },
		]);
	});

	test("a refund never takes back more than is left of a line [FACT-3]", async () => {
		const server = await openSoldShop();
		const { shop, caller } = server;
		const refund = (id: string, quantities: number[]) =>
			shop.mutate(caller, saleRefund, {
				id,
				saleId: "s",
				reason: "Sour",
				items: quantities.map((quantity, i) => ({
					...one[0],
					id: `${i}`,
					itemId: "milk-line",
					quantity,
				})),
			});
		const over = { code: "over_refunded" };
		await expect(refund("r1", [3.000001])).rejects.toMatchObject({
			...over,
			field: "items.0.quantity",
		});
		await expect(refund("r1", [2, 2])).rejects.toMatchObject({
			...over,
			field: "items.1.quantity",
		});
		await refund("r1", [2]);
		await expect(refund("r2", [2])).rejects.toMatchObject(over);
		await refund("r2", [1]);
		await expect(refund("r3", [0.1])).rejects.toMatchObject(over);
	});

	test("a refund of a service returns no stock", async () => {
		const server = await openSoldShop();
		await server.shop.mutate(server.caller, saleRefund, {
			id: "r1",
			saleId: "s",
			reason: "Late",
			restock: true,
			items: [{ id: "1", itemId: "van", quantity: 1 }],
		});
		expect(await stock(server)).toBe(7);
	});

	test.each([
		["saleId", "not_found", { saleId: "other" }],
		[
			"items.0.itemId",
			"not_found",
			{ items: [{ id: "1", itemId: "other", quantity: 1 }] },
		],
		[
			"items.0.quantity",
			"invalid_args",
			{ items: [{ ...one[0], quantity: 0 }] },
		],
		[
			"items.0.quantity",
			"invalid_args",
			{ items: [{ ...one[0], quantity: -1 }] },
		],
		["items", "invalid_args", { items: [] }],
		["items", "invalid_args", { items: [...one, ...one] }],
		["reason", "invalid_args", { reason: " " }],
		["reason", "invalid_args", { reason: undefined }],
		["restock", "invalid_args", { restock: "yes" }],
	])(
		"a refund with a wrong %s is refused with %s",
		async (field, code, args) => {
			const server = await openSoldShop();
			const all = {
				id: "r1",
				saleId: "s",
				reason: "Sour",
				items: one,
				...args,
			};
			await expect(
				server.shop.mutate(server.caller, saleRefund, all as never),
			).rejects.toMatchObject({ code, field });
			expect(await server.rows("SELECT id FROM refunds")).toEqual([]);
			expect(await stock(server)).toBe(7);
		},
	);
});

describe("a void", () => {
	test("a void takes back all that is left, returns the goods and ends the sale [FACT-3]", async () => {
		const server = await openSoldShop();
		const { shop, caller } = server;
		await shop.mutate(caller, saleRefund, {
			id: "r1",
			saleId: "s",
			reason: "Sour",
			items: one,
		});
		await shop.mutate(caller, saleVoid, {
			id: "v",
			saleId: "s",
			reason: "Wrong customer",
		});
		expect(await stock(server)).toBe(9);
		const [row] = await server.rows(
			"SELECT total, cost FROM refunds WHERE id = 'v'",
		);
		expect(row).toEqual({ total: 200_000_000, cost: 80_000_000 });
		for (const mutation of [saleVoid, saleRefund])
			await expect(
				shop.mutate(caller, mutation as typeof saleRefund, {
					id: "again",
					saleId: "s",
					reason: "Again",
					...(mutation === saleRefund
						? { items: one }
						: ({} as { items: typeof one })),
				}),
			).rejects.toMatchObject({ code: "already_voided", field: "saleId" });
	});

	test("a void returns no goods if asked not to", async () => {
		const server = await openSoldShop();
		await server.shop.mutate(server.caller, saleVoid, {
			id: "v",
			saleId: "s",
			reason: "Spilt",
			restock: false,
		});
		expect(await stock(server)).toBe(7);
	});
});

test("a void is recorded although its stock can't be counted, and raises an inbox item", async () => {
	const server = await openSoldShop();
	await server.store.write((tx) =>
		tx.run("UPDATE products SET quantity = ?", 2 ** 53 - 2),
	);
	await server.shop.mutate(server.caller, saleVoid, {
		id: "v",
		saleId: "s",
		reason: "Wrong",
	});
	expect(await server.rows("SELECT quantity FROM products")).toEqual([
		{ quantity: 2 ** 53 - 2 },
	]);
	expect(
		await server.rows(
			"SELECT cause, sale_id, product_id, quantity FROM inbox_items",
		),
	).toEqual([
		{
			cause: "uncountable_stock",
			sale_id: "s",
			product_id: "milk",
			quantity: 3_000_000,
		},
	]);
});

describe("a repeated refund or void", () => {
	test("a repeated refund or void is applied without effect", async () => {
		const server = await openSoldShop();
		const { shop, caller } = server;
		const refund = {
			id: "r",
			saleId: "s",
			reason: "Sour",
			restock: true,
			items: one,
		};
		const gone = { id: "v", saleId: "s", reason: "Wrong customer" };
		await shop.mutate(caller, saleRefund, refund);
		await shop.mutate(caller, saleRefund, refund);
		expect(await stock(server)).toBe(8);
		await shop.mutate(caller, saleVoid, gone);
		await shop.mutate(caller, saleVoid, gone);
		await shop.mutate(caller, saleRefund, refund);
		expect(await stock(server)).toBe(10);
		expect(await server.rows("SELECT id FROM refunds")).toHaveLength(2);
	});

	test("a refund's id can't be used by another", async () => {
		const server = await openSoldShop();
		const { shop, caller } = server;
		await shop.mutate(caller, saleRefund, {
			id: "r",
			saleId: "s",
			reason: "Sour",
			items: one,
		});
		await expect(
			shop.mutate(caller, saleVoid, { id: "r", saleId: "s", reason: "Sour" }),
		).rejects.toMatchObject({ code: "id_reused", field: "id" });
		await expect(
			shop.mutate(caller, saleRefund, {
				id: "r",
				saleId: "s",
				reason: "Sour",
				items: [{ id: "1", itemId: "milk-line", quantity: 2 }],
			}),
		).rejects.toMatchObject({ code: "id_reused", field: "id" });
	});
});
