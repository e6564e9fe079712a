import { expect, test } from "vitest";
import { businessUpdate } from "../../../sync/entities/business.ts";
import { customerCreate } from "../../../sync/entities/customer.ts";
import { productCreate } from "../../../sync/entities/product.ts";
import { saleCreate } from "../../../sync/entities/sale.ts";
import { businessGet } from "../../../sync/queries/business.ts";
import { customerGet } from "../../../sync/queries/customer.ts";
import { receiptGet } from "../../../sync/queries/receipt.ts";
import { openTestShop } from "../../../sync/testing/shop.ts";
import { toReceipt } from "./sale-receipt.ts";

test("a sale's receipt is the same before and after the shop is asked for it", async () => {
	const { shop, caller } = await openTestShop();
	await shop.mutate(caller, businessUpdate, {
		set: {
			receiptHeader: "Moi Avenue",
			receiptFooter: "Asante",
			receiptLanguage: "sw",
			receiptLogoUrl: "data:image/png;base64,AAAA",
		},
	});
	const line = { id: "1", name: "Milk", quantity: 0.755, price: 65.5, cost: 1 };
	const items = [
		line,
		{ ...line, id: "2", listPrice: 70.25 },
		// A raised price is no discount.
		{ ...line, id: "3", listPrice: 60 },
	];
	const mpesa = { method: "MPESA", amount: 1, code: "UKM5" };
	await shop.mutate(caller, customerCreate, { id: "zawadi", name: "Zawadi" });
	const zawadi = await shop.ask(caller, customerGet, { id: "zawadi" });
	await shop.mutate(caller, productCreate, {
		...{ id: "milk", name: "Milk", unit: "l" },
		...{ buyingPrice: 1, sellingPrice: 65.5 },
	});
	for (const [id, more] of Object.entries({
		measured: { items: [{ ...line, productId: "milk" }, items[1] ?? line] },
		plain: { items: [line] },
		discounted: { items, paid: 500, rounding: 0.36 },
		noted: { items, paymentMethod: "MPESA", notes: "MPESA UKM4" },
		coded: { items, paymentMethod: "MPESA", paymentCode: "UKM4" },
		taxed: {
			items: items.map((line) => ({ ...line, taxClass: "B", taxRate: 16 })),
		},
		short: { items: [line], paid: 1 },
		split: { items, tenders: [{ method: "CASH", amount: 500 }, mpesa] },
		lent: { items, customerId: "zawadi", paymentMethod: "CREDIT" },
	})) {
		await shop.mutate(caller, saleCreate, { id, ...more });
		const answer = await shop.ask(caller, receiptGet, { id });
		const { number, createdAt, businessDay, total, paid, change } = answer;
		const args = { id, ...more, receiptNumber: number, businessDay };
		const isLent = id === "lent";
		const made = {
			...{ mutationId: id, args, total, paid, change, at: createdAt },
			...(id === "measured" && { units: { 1: "l" } }),
			...{ lent: isLent ? total : 0, customer: isLent ? zawadi : undefined },
		};
		const business = await shop.ask(caller, businessGet, {});
		expect(toReceipt(made, business, answer.cashier ?? "")).toEqual({
			...answer,
			cashier: answer.cashier ?? "",
		});
	}
});
