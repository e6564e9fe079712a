import { expect, test } from "vitest";
import { businessUpdate } from "../entities/business.ts";
import { saleRefund } from "../entities/refund.ts";
import { saleCreate } from "../entities/sale.ts";
import { openTestShop, twoTills } from "../testing/shop.ts";
import { receiptGet } from "./receipt.ts";

test("a till's receipt lists synced refunds before pending ones", async () => {
	const { a } = await twoTills();
	const id = await a.sell({ milk: 3 });
	const takeBack = (reason: string) =>
		a.till.mutate(a.caller, saleRefund, {
			...{ id: reason, saleId: id, reason, restock: true },
			items: [{ id: reason, itemId: "1", quantity: 1 }],
		});
	await takeBack("b, sent");
	await a.till.sync();
	a.line.online = false;
	await takeBack("a, first unsent");
	await takeBack("c, second unsent");
	const receipt = await a.till.ask(a.caller, receiptGet, { id });
	expect(receipt.refunds.map(({ reason }) => reason)).toEqual([
		"b, sent",
		"a, first unsent",
		"c, second unsent",
	]);
	expect(receipt).toMatchObject({ status: "refunded", refundedTotal: 300 });
});

const bread = { name: "Bread", price: 55, cost: 40 };

test("a receipt shows list prices, the sum of the discounts, the rounding, and the shop's language and logo", async () => {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, businessUpdate, {
		set: { receiptLanguage: "sw", receiptLogoUrl: "/logo.webp" },
	});
	await shop.mutate(caller, saleCreate, {
		id: "s",
		items: [
			{ ...bread, id: "1", quantity: 2, listPrice: 60 },
			{ ...bread, id: "2", quantity: 0.333333, price: 0.1, listPrice: 0.2 },
			// The cashier raised this price.
			{ ...bread, id: "3", quantity: 1, listPrice: 50 },
			{ ...bread, id: "4", quantity: 1 },
		],
		paid: 220.033333,
		rounding: 0.033333,
	});
	const receipt = await shop.ask(caller, receiptGet, { id: "s" });
	expect(receipt).toMatchObject({
		business: { language: "sw", logoUrl: "/logo.webp" },
		// Of 10 and 0.0333333.
		discount: 10.033334,
		total: 220.033333,
		paid: 220.033333,
		rounding: 0.033333,
		change: 0,
	});
	expect(receipt.lines.map(({ listPrice }) => listPrice)).toEqual([
		...[60, 0.2, undefined, undefined],
	]);
});

test("a receipt without discount, rounding, language and logo has none of their keys", async () => {
	const { shop, caller } = await openTestShop();
	const items = [{ ...bread, id: "1", quantity: 1 }];
	await shop.mutate(caller, saleCreate, { id: "s", items });
	const receipt = await shop.ask(caller, receiptGet, { id: "s" });
	const { business, lines, ...rest } = JSON.parse(JSON.stringify(receipt));
	expect(Object.keys(business)).toEqual([
		...["name", "header", "footer", "currency"],
	]);
	expect(Object.keys(lines[0])).toEqual([
		...["name", "quantity", "price", "total", "refunded"],
	]);
	expect(rest).not.toHaveProperty("discount");
	expect(rest).not.toHaveProperty("rounding");
});
