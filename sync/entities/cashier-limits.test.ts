import { describe, expect, test } from "vitest";
import { inboxItemList } from "../queries/inbox.ts";
import { openTestShop } from "../testing/shop.ts";
import { businessUpdate } from "./business.ts";
import { cashMove } from "./cash.ts";
import { productCreate } from "./product.ts";
import { saleRefund, saleVoid } from "./refund.ts";
import { saleCreate } from "./sale.ts";

/** A shop that sells milk for 65, with a cashier beside its owner. */
async function openShop(limits: object) {
	const server = await openTestShop();
	const { shop, store, caller } = server;
	await shop.mutate(caller, productCreate, {
		...{ id: "milk", name: "Milk", quantity: 100 },
		...{ buyingPrice: 40, sellingPrice: 65 },
	});
	await shop.mutate(caller, businessUpdate, { set: limits });
	await store.write(async (tx) => {
		await tx.run(
			"INSERT INTO users (id, email, name, password_hash, created_at) VALUES ('asha', 'asha@example.com', 'Asha', 'none', '')",
		);
		await tx.run(
			"INSERT INTO memberships (business_id, user_id, role, created_at) VALUES (?, 'asha', 'CASHIER', '')",
			caller.businessId,
		);
	});
	const cashier = { ...caller, userId: "asha", role: "CASHIER" } as const;
	let made = 0;
	return {
		...{ shop, owner: caller, cashier },
		async sell(price: number, by: typeof cashier | typeof caller = cashier) {
			made += 1;
			const id = `sale-${made}`;
			const line = { id: "1", name: "Milk", quantity: 2, price, cost: 40 };
			await shop.mutate(by, saleCreate, {
				...{ id, items: [{ ...line, productId: "milk" }] },
			});
			return id;
		},
		async found() {
			const { items } = await shop.ask(caller, inboxItemList, {});
			return items.map(({ cause, amount }) => [cause, amount]);
		},
	};
}

describe("a cashier's limits", () => {
	test("a cashier sells for as much less as the owner lets them, and what is less is made and reported", async () => {
		const { sell, found, owner } = await openShop({ cashierDiscountMax: 20 });
		await sell(65);
		await sell(52);
		await sell(70);
		await sell(1, owner);
		expect(await found()).toEqual([]);
		await sell(51.99);
		await sell(1);
		expect(await found()).toEqual([
			["discount_over_limit", 128],
			["discount_over_limit", 26.02],
		]);
	});

	test("a cashier's refund or void beyond the limit is made and reported with its total", async () => {
		const { shop, cashier, owner, sell, found } = await openShop({
			cashierRefundMax: 65,
		});
		const [one, two, three] = [await sell(65), await sell(65), await sell(65)];
		const items = [{ id: "1", itemId: "1", quantity: 1 }];
		const back = { reason: "Sour", restock: false };
		await shop.mutate(cashier, saleRefund, {
			...{ ...back, id: "r", saleId: one as string, items },
		});
		await shop.mutate(owner, saleVoid, {
			...{ ...back, id: "v", saleId: two as string },
		});
		expect(await found()).toEqual([]);
		await shop.mutate(cashier, saleVoid, {
			...{ ...back, id: "w", saleId: three as string },
		});
		expect(await found()).toEqual([["refund_over_limit", 130]]);
	});

	test("cash that a cashier takes out beyond the limit is reported, and what they put in is not", async () => {
		const { shop, cashier, found } = await openShop({ cashierCashOutMax: 500 });
		for (const [id, amount] of [
			["in", 5_000],
			["out", -500],
			["more", -501],
		] as const)
			await shop.mutate(cashier, cashMove, {
				...{ id, amount, category: "expense", reason: "Charcoal" },
			});
		expect(await found()).toEqual([["cash_over_limit", 501]]);
	});

	test("a shop without limits reports nothing that a cashier does", async () => {
		const { sell, found } = await openShop({ cashierDiscountMax: null });
		await sell(0);
		expect(await found()).toEqual([]);
	});
});
