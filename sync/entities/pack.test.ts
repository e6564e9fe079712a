import { describe, expect, test } from "vitest";
import { receiptGet } from "../queries/receipt.ts";
import {
	addMember,
	addMilk,
	expectInStep,
	message,
	openTestShop,
	pushOne,
	saleArgs,
	type TestShop,
} from "../testing/shop.ts";
import { packCreate, packUpdate } from "./pack.ts";
import { isExact, unitsOf } from "./pack-row.ts";
import { productUpdate } from "./product.ts";
import { saleRefund } from "./refund.ts";
import { saleCreate } from "./sale.ts";

const crate = { packId: "crate", packName: "Crate", packSize: 24 };
const line = { productId: "milk", price: 1_100, cost: 960, ...crate };

/** Milk at 50, ten bottles, in crates of 24 at 1,100. */
async function openCrateShop(): Promise<TestShop> {
	const server = await openTestShop();
	await addMilk(server);
	const { shop, caller } = server;
	await shop.mutate(caller, packCreate, {
		...{ id: "crate", productId: "milk", name: "Crate", size: 24 },
		sellingPrice: 1_100,
	});
	return server;
}

let count = 0;
const push = (server: TestShop, name: string, args: object, more = {}) => {
	count += 1;
	return pushOne(server, message(`m-${count}`, name, args, more));
};

async function stockOf({ rows }: TestShop): Promise<number> {
	const [milk] = await rows("SELECT quantity FROM products");
	return Number(milk?.quantity) / 1e6;
}

const inboxOf = ({ rows }: TestShop) =>
	rows("SELECT cause, quantity, amount FROM inbox_items ORDER BY cause");

describe("a line in packs", () => {
	test("takes what they held from stock and brings it back, whatever the pack holds later", async () => {
		const server = await openCrateShop();
		const { shop, caller } = server;
		await push(
			server,
			"sale.create",
			saleArgs("s", [{ ...line, quantity: 2 }]),
		);
		expect(await stockOf(server)).toBe(10 - 48);
		await shop.mutate(caller, packUpdate, {
			...{ id: "crate", set: { size: 30, name: "Big crate" } },
		});
		await shop.mutate(caller, saleRefund, {
			...{ id: "r", saleId: "s", reason: "Sour", restock: true },
			items: [{ id: "1", itemId: "1", quantity: 0.5 }],
		});
		expect(await stockOf(server)).toBe(10 - 36);
		const { lines, total } = await shop.ask(caller, receiptGet, { id: "s" });
		expect(lines).toMatchObject([
			{ packName: "Crate", packSize: 24, quantity: 2, refunded: 0.5 },
		]);
		expect(total).toBe(2_200);
		await push(server, "sale.void", { id: "v", saleId: "s", reason: "Wrong" });
		expect(await stockOf(server)).toBe(10);
		await expectInStep(server);
	});

	test("that can't be counted to a millionth is refused where it is sold, and from a till moves nothing and is sorted out", async () => {
		const server = await openCrateShop();
		const { shop, caller } = server;
		const third = { ...line, packSize: 0.5, quantity: 0.333333 };
		const sold = saleArgs("s", [third]);
		await expect(shop.mutate(caller, saleCreate, sold)).rejects.toMatchObject({
			...{ code: "invalid_args", field: "items.0.quantity" },
		});
		expect(await push(server, "sale.create", sold)).toMatchObject({
			status: "applied",
		});
		expect(await stockOf(server)).toBe(10);
		expect(await inboxOf(server)).toEqual([
			{ cause: "uncountable_stock", quantity: 166_667, amount: null },
		]);
		await push(
			server,
			"sale.create",
			saleArgs("t", [{ ...line, packSize: 0.5 }]),
		);
		const part = { id: "1", itemId: "1", quantity: 0.333333 };
		const refund = { saleId: "t", reason: "Sour", items: [part] };
		expect(
			await push(server, "sale.refund", { id: "r", ...refund }),
		).toMatchObject({ error: { field: "items.0.quantity" } });
		await expectInStep(server);
	});

	test("names its pack, the pack's name and size and a product, or none of them", async () => {
		const server = await openCrateShop();
		for (const wrong of [
			...Object.keys(crate).map((field) => ({ [field]: undefined })),
			{ productId: null },
			{ packSize: 0 },
		])
			expect(
				await push(
					server,
					"sale.create",
					saleArgs("s", [{ ...line, ...wrong }]),
				),
			).toMatchObject({ error: { code: "invalid_args" } });
	});

	test("keeps the unit that its product was counted in", async () => {
		const server = await openCrateShop();
		const { shop, caller } = server;
		const loose = { productId: "milk", price: 50, quantity: 0.5, unit: "l" };
		const sold = saleArgs("s", [
			{ ...line, unit: "l" },
			{ ...loose, id: "2" },
			{ ...loose, id: "3", unit: undefined },
		]);
		await push(server, "sale.create", sold);
		await shop.mutate(caller, productUpdate, {
			...{ id: "milk", set: { unit: "ml" } },
		});
		const { lines } = await shop.ask(caller, receiptGet, { id: "s" });
		expect(lines.map(({ packName, unit }) => [packName, unit])).toEqual([
			["Crate", "l"],
			[undefined, "l"],
			[undefined, undefined],
		]);
		await expectInStep(server);
	});

	test("is the same fact again only with the same pack", async () => {
		const server = await openCrateShop();
		const sell = (more: object) =>
			push(server, "sale.create", saleArgs("s", [{ ...line, ...more }]));
		await sell({});
		expect(await sell({})).toMatchObject({ status: "applied" });
		for (const other of [
			{ packId: "k" },
			{ packName: "K" },
			{ packSize: 23 },
			{ unit: "l" },
		])
			expect(await sell(other)).toMatchObject({ error: { code: "id_reused" } });
	});

	test("should cost what its pack does, or its product by the unit, or did until a short time before", async () => {
		const server = await openCrateShop();
		const { shop, caller, env } = server;
		await shop.mutate(caller, productUpdate, {
			...{ id: "milk", set: { quantity: 1_000 } },
		});
		const at = () => new Date(env.now()).toISOString();
		const costs = async (id: string, more: object) => {
			const sold = saleArgs(id, [{ ...line, ...more }]);
			await push(server, "sale.create", sold, { at: at() });
			const found = await inboxOf(server);
			await server.store.write((tx) => tx.run("DELETE FROM inbox_items"));
			return found;
		};
		const change = async (name: string, id: string, set: object) => {
			env.pass(60_000);
			await push(server, name, { id, set }, { at: at() });
			env.pass(60_000);
		};
		expect(await costs("a", {})).toEqual([]);
		await change("pack.update", "crate", { sellingPrice: 1_150 });
		const old = { cause: "old_price", quantity: null, amount: 1_100e6 };
		expect(await costs("b", {})).toEqual([old]);
		await change("pack.update", "crate", { sellingPrice: null });
		await change("product.update", "milk", { sellingPrice: 55 });
		expect(await costs("c", { price: 1_320 })).toEqual([]);
		// By the unit, so that it can be compared with the product's price.
		expect(await costs("d", { price: 1_200 })).toEqual([
			{ cause: "old_price", quantity: 24e6, amount: 50e6 },
		]);
		expect(await costs("e", { price: 7 })).toEqual([]);
	});

	test("may not cost less than a limit lets its seller, by the pack's price or by what it says to hold", async () => {
		const server = await openCrateShop();
		const { shop, caller, store } = server;
		await store.write(async (tx) => {
			await tx.run(
				`UPDATE businesses SET limits = '[{"role":"CASHIER","discountMax":10000000}]'`,
			);
		});
		await shop.mutate(caller, productUpdate, {
			...{ id: "milk", set: { quantity: 1_000 } },
		});
		await store.write((tx) => addMember(tx, "shop-1", "asha", "CASHIER"));
		const asha = { ...caller, userId: "asha", role: "CASHIER" as const };
		const sell = async (id: string, more: object) => {
			await pushOne(
				{ ...server, caller: asha },
				message(id, "sale.create", saleArgs(id, [{ ...line, ...more }])),
			);
			return server.rows(
				`SELECT cause, quantity, amount FROM inbox_items WHERE sale_id = '${id}'`,
			);
		};
		expect(await sell("a", { price: 1_000 })).toEqual([]);
		expect(await sell("b", { price: 900 })).toEqual([
			{ cause: "discount_over_limit", quantity: 24e6, amount: 200e6 },
		]);
		// A size that the pack never had is priced by the unit.
		expect(await sell("c", { packSize: 48, price: 1_100 })).toEqual([
			{ cause: "discount_over_limit", quantity: 48e6, amount: 1_300e6 },
		]);
	});
});

test("units are exact to a millionth, also of large packs", () => {
	const half = { quantity: 500_000, packSize: 2_000_001 };
	expect([unitsOf(half), isExact(half)]).toEqual([1_000_001, false]);
	const large = { quantity: 3_000_001, packSize: 100_000_000_000_000 };
	expect([unitsOf(large), isExact(large)]).toEqual([300_000_100_000_000, true]);
	expect(unitsOf({ quantity: 7 })).toBe(7);
});
