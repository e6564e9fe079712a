import { describe, expect, test } from "vitest";
import type { MutationResult } from "../protocol/protocol.ts";
import {
	message,
	openTestShop,
	pushOne,
	type TestShop,
} from "../testing/shop.ts";
import { productCreate, productDelete, productUpdate } from "./product.ts";

const line = { id: "1", name: "Milk", quantity: 1, price: 50, cost: 40 };

let count = 0;

async function push(
	{ shop, caller, env }: TestShop,
	name: string,
	args: object,
): Promise<MutationResult | undefined> {
	count += 1;
	const at = new Date(env.now()).toISOString();
	const { results } = await shop.push(caller, {
		mutations: [{ id: `m-${count}`, name, args, at }],
	});
	return results[0];
}

async function openMilkShop() {
	const server = await openTestShop();
	await server.shop.mutate(server.caller, productCreate, {
		id: "milk",
		name: "Milk",
		buyingPrice: 40,
		sellingPrice: 50,
		quantity: 10,
	});
	return server;
}

async function sell(
	server: TestShop,
	more: object = {},
	items: object[] = [line],
) {
	const result = await push(server, "sale.create", { id: "s", items, ...more });
	const [row] = await server.rows("SELECT * FROM sales WHERE id = 's'");
	return { result, row };
}

describe("a sale", () => {
	test("a sale's total and cost are exact", async () => {
		const server = await openTestShop();
		const { row } = await sell(server, {}, [
			{ ...line, price: 0.1, cost: 0.07, quantity: 3 },
			{ ...line, id: "2", price: 19.99, cost: 1.015, quantity: 0.255 },
		]);
		expect(row).toMatchObject({ total: 5_397_450, cost: 468_825 });
	});

	test.each([
		[undefined, 50_000_000],
		[null, 50_000_000],
		[0, 50_000_000],
		[20, 20_000_000],
		[100, 100_000_000],
	])("a sale paid with %j records %d millionths", async (paid, expected) => {
		const { row } = await sell(await openTestShop(), { paid });
		expect(row?.paid).toBe(expected);
	});

	test("a sale keeps names, notes and payment method verbatim", async () => {
		const server = await openTestShop();
		const name = "  =2+3 <b>Žluťoučký</b> 牛奶 \t ";
		const { row } = await sell(
			server,
			{ notes: " ref QX7 ", paymentMethod: "MPESA" },
			[{ ...line, name }],
		);
		expect(row).toMatchObject({ notes: " ref QX7 ", payment_method: "MPESA" });
		expect(await server.rows("SELECT name FROM sale_items")).toEqual([
			{ name },
		]);
	});

	test("a sale takes stock, except for services and lines without a product", async () => {
		const server = await openMilkShop();
		await sell(server, {}, [
			{ ...line, productId: "milk", quantity: 2.5 },
			{ ...line, id: "2", productId: "milk", isService: true },
			{ ...line, id: "3", productId: null },
		]);
		expect(await server.rows("SELECT quantity FROM products")).toEqual([
			{ quantity: 7_500_000 },
		]);
	});

	test("a repeated sale is applied without effect [FACT-2]", async () => {
		const server = await openMilkShop();
		const items = [{ ...line, productId: "milk" }];
		await sell(server, {}, items);
		const { result } = await sell(server, {}, items);
		expect(result).toMatchObject({ status: "applied" });
		expect(result?.duplicate).toBeUndefined();
		expect(await server.rows("SELECT quantity FROM products")).toEqual([
			{ quantity: 9_000_000 },
		]);
		const other = await sell(server, { notes: "Other" }, items);
		expect(other.result).toMatchObject({
			error: { code: "id_reused", field: "id" },
		});
	});

	test.each([
		["id", { id: 7 }],
		["id", { id: "x".repeat(65) }],
		["id", { id: "" }],
		["id", { id: undefined }],
		["items", { items: [] }],
		["items", { items: "none" }],
		["items", { items: [line, line] }],
		["items.0.id", { items: [{ ...line, id: 1 }] }],
		["items.0.name", { items: [{ ...line, name: undefined }] }],
		["items.0.name", { items: [{ ...line, name: "half \ud800" }] }],
		["items.0.name", { items: [{ ...line, name: "nul \0" }] }],
		["items.0.quantity", { items: [{ ...line, quantity: "2" }] }],
		["items.0.quantity", { items: [{ ...line, quantity: -1 }] }],
		["items.0.quantity", { items: [{ ...line, quantity: Number.NaN }] }],
		[
			"items.0.quantity",
			{ items: [{ ...line, quantity: Number.POSITIVE_INFINITY }] },
		],
		["items.0.price", { items: [{ ...line, price: -0.01 }] }],
		["items.0.price", { items: [{ ...line, price: 1e300 }] }],
		["items.0.price", { items: [{ ...line, price: null }] }],
		["items.0.cost", { items: [{ ...line, cost: -1 }] }],
		["items.0.productId", { items: [{ ...line, productId: 5 }] }],
		["items.0.isService", { items: [{ ...line, isService: "yes" }] }],
		["items.0.discount", { items: [{ ...line, discount: 1 }] }],
		["items", { items: [{ ...line, price: 1e9, quantity: 1e9 }] }],
		["paid", { paid: -1 }],
		["paid", { paid: "50" }],
		["paymentMethod", { paymentMethod: 5 }],
		["paymentMethod", { paymentMethod: "x".repeat(501) }],
		["notes", { notes: {} }],
		["businessDay", { businessDay: "2026-02-30" }],
		["tip", { tip: 5 }],
	])(
		"a sale with a malformed %s is refused, and leaves only its log row",
		async (field, args) => {
			const server = await openTestShop();
			const { result } = await sell(server, args);
			expect(result).toMatchObject({
				status: "rejected",
				error: { code: "invalid_args", field },
			});
			for (const table of [
				"sales",
				"sale_items",
				"stock_movements",
				"inbox_items",
			])
				expect(await server.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
			expect(await server.rows("SELECT status FROM mutations")).toEqual([
				{ status: "rejected" },
			]);
		},
	);
});

describe("inbox items of a sale", () => {
	async function causes(server: TestShop) {
		const rows = await server.rows(
			"SELECT cause, product_id, quantity, amount FROM inbox_items",
		);
		return rows;
	}
	const milk = { ...line, productId: "milk" };

	test("a sale of an unknown product is accepted and raises an inbox item [FACT-1]", async () => {
		const server = await openTestShop();
		const { result } = await sell(server, {}, [{ ...line, productId: "gone" }]);
		expect(result?.status).toBe("applied");
		expect(await causes(server)).toEqual([
			{
				cause: "unknown_product",
				product_id: "gone",
				quantity: 1_000_000,
				amount: null,
			},
		]);
		// The product arrives late and starts from this sale.
		await server.shop.mutate(server.caller, productCreate, {
			id: "gone",
			name: "Late",
			buyingPrice: 1,
			sellingPrice: 2,
			quantity: 5,
		});
		expect(await server.rows("SELECT quantity FROM products")).toEqual([
			{ quantity: 4_000_000 },
		]);
	});

	test("a sale of a deactivated product is accepted and raises an inbox item [FACT-1]", async () => {
		const server = await openMilkShop();
		await server.shop.mutate(server.caller, productDelete, { id: "milk" });
		await sell(server, {}, [milk]);
		expect(await causes(server)).toMatchObject([{ cause: "inactive_product" }]);
	});

	test("a sale of more than is in stock is accepted and raises an inbox item [FACT-1]", async () => {
		const server = await openMilkShop();
		await sell(server, {}, [{ ...milk, quantity: 10 }]);
		expect(await causes(server)).toEqual([]);
		await push(server, "sale.create", {
			id: "t",
			items: [{ ...milk, quantity: 3 }],
		});
		await push(server, "sale.create", {
			id: "u",
			items: [{ ...milk, quantity: 2 }],
		});
		expect(await causes(server)).toMatchObject([
			{ cause: "oversold", quantity: 3_000_000 },
			{ cause: "oversold", quantity: 2_000_000 },
		]);
	});

	test("a sale at an outdated price is accepted and raises an inbox item [FACT-1]", async () => {
		const server = await openMilkShop();
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 55 },
		});
		server.env.pass(60_000);
		await sell(server, {}, [milk]);
		expect(await causes(server)).toMatchObject([
			{ cause: "old_price", amount: 50_000_000 },
		]);
		// A price that the cashier agreed with the customer is no mistake.
		await push(server, "sale.create", {
			id: "t",
			items: [{ ...milk, price: 45 }],
		});
		expect(await causes(server)).toHaveLength(1);
	});

	test("a sale made before a price change and synced after it raises no inbox item", async () => {
		const server = await openMilkShop();
		await server.shop.mutate(server.caller, productUpdate, {
			id: "milk",
			set: { sellingPrice: 55 },
		});
		const sale = message("late", "sale.create", { id: "late", items: [milk] });
		expect(await pushOne(server, sale)).toMatchObject({ status: "applied" });
		expect(await causes(server)).toEqual([]);
	});
});
