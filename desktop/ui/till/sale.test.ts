import { expect, test } from "vitest";
import type { Customer } from "../../../sync/entities/customer.ts";
import type { Layaway } from "../../../sync/entities/layaway.ts";
import type { saleCreate } from "../../../sync/entities/sale.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { ShopClient } from "../shop/client.ts";
import { addOpenItem, type Cart, emptyCart } from "./cart.ts";
import { handOver, itemsOf, makeSale, type SalePayment } from "./sale.ts";

type SaleArgs = Parameters<typeof saleCreate.args.parse>[0] & { id: string };

const cash = (amount: number): SalePayment => ({
	...{ tenders: [{ method: "CASH", amount }], rounding: 0 },
});
const soap = addOpenItem(emptyCart("c"), "Soap", 35);

/** A shop that applies each mutation once, and whose first responses are lost. */
function openShop(lost: number) {
	const made = new Map<string, SaleArgs>();
	let answers = 0;
	const shop: Pick<ShopClient, "mutate"> = {
		async mutate(_, args, { id = "" } = {}) {
			if (!made.has(id)) made.set(id, args as SaleArgs);
			answers += 1;
			if (answers <= lost) throw new ShopError("storage_busy", "No answer");
			const at = "2026-03-01T08:00:00.000Z";
			return { id, at, args: made.get(id) as typeof args };
		},
	};
	const sell = (cart: Cart, payment = cash(0)) =>
		makeSale(shop as ShopClient, cart, payment);
	return { shop: shop as ShopClient, made, sell };
}

test("a sale whose response was lost is recorded once, and shown as it was recorded", async () => {
	const { made, sell } = openShop(1);
	await expect(sell(soap, cash(50))).rejects.toThrow("No answer");
	const sale = await sell(soap, cash(100));
	expect([...made.keys()]).toEqual([sale.mutationId]);
	expect(sale).toMatchObject({ total: 35, paid: 50, change: 15 });
});

test("each cart is a separate sale", async () => {
	const { made, sell } = openShop(1);
	await expect(sell(soap)).rejects.toThrow("No answer");
	await sell(addOpenItem(soap, "Tea", 10));
	expect(made.size).toBe(2);
	expect(new Set([...made.values()].map(({ id }) => id)).size).toBe(2);
});

test.each([
	[
		"by one method, as its own payment",
		{ tenders: [{ method: "MPESA", amount: 35, code: "TIA9" }], rounding: 0 },
		{ paid: 35, paymentMethod: "MPESA", paymentCode: "TIA9" },
		{ paid: 35, change: 0, lent: 0 },
	],
	[
		"by several, with change out of the cash",
		{
			tenders: [
				{ method: "MPESA", amount: 10 },
				{ method: "CASH", amount: 30 },
			],
			rounding: 0,
		},
		{ tenders: [{ method: "MPESA" }, { method: "CASH", amount: 30 }] },
		{ paid: 40, change: 5, lent: 0 },
	],
	[
		"in part by a customer who owes the rest",
		{
			...{ tenders: [{ method: "CASH", amount: 30 }], rounding: 0 },
			customer: { id: "zawadi" },
		},
		{ tenders: [{ method: "CASH" }], customerId: "zawadi" },
		{ paid: 35, change: 0, lent: 5 },
	],
	[
		"by a customer who owes all of it",
		{ tenders: [], rounding: 0, customer: { id: "zawadi" } },
		{ paymentMethod: "CREDIT", customerId: "zawadi" },
		{ paid: 35, change: 0, lent: 35 },
	],
] as const)("a sale is paid %s", async (_, payment, args, shown) => {
	const { made, sell } = openShop(0);
	const sale = await sell(soap, payment as unknown as SalePayment);
	expect(made.get(sale.mutationId)).toMatchObject(args);
	expect(sale).toMatchObject(shown);
});

test("no rounding is claimed for a rest that is too small for any coin, since no cash is paid", async () => {
	const { made, sell } = openShop(0);
	const sale = await sell(soap, {
		tenders: [{ method: "MPESA", amount: 34.6 }],
		rounding: 0.4,
	});
	expect(made.get(sale.mutationId)).toEqual({
		...{ id: sale.mutationId, items: itemsOf(soap), notes: null },
		...{ paid: 34.6, paymentMethod: "MPESA" },
	});
	expect(sale).toMatchObject({ total: 35, paid: 34.6, change: -0.4 });
});

test.each([
	[
		"comes once out of all the cash, not out of each part of it",
		[
			{ method: "CASH", amount: 20 },
			{ method: "CASH", amount: 100 },
		],
		[{ method: "CASH", amount: 30 }],
		90,
	],
	[
		"is no more than the cash: what was sent too much stays the customer's",
		[
			{ method: "CASH", amount: 5 },
			{ method: "MPESA", amount: 40 },
		],
		[{ method: "MPESA", amount: 40 }],
		5,
	],
] as const)(
	"the change for goods that were kept %s",
	async (_, tenders, recorded, givenBack) => {
		const { shop, made } = openShop(0);
		const kept = { id: "kept", items: itemsOf(soap) } as Layaway;
		const customer = { id: "zawadi" } as Customer;
		const payment = { tenders, rounding: 0, customer };
		const sale = await handOver(shop, "handed", kept, payment, 30);
		expect(made.get("handed")).toMatchObject({ tenders: recorded });
		expect(sale).toMatchObject({ givenBack });
	},
);
