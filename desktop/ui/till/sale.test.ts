import { expect, test } from "vitest";
import type { saleCreate } from "../../../sync/entities/sale.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { ShopClient } from "../shop/client.ts";
import { addOpenItem, type Cart, emptyCart } from "./cart.ts";
import { makeSale, type Tender } from "./sale.ts";

type SaleArgs = Parameters<typeof saleCreate.args.parse>[0] & { id: string };

const cash: Tender = { method: "CASH", paid: 0, rounding: 0, reference: "" };
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
	const sell = (cart: Cart, tender = cash) =>
		makeSale(shop as ShopClient, cart, tender);
	return { made, sell };
}

test("a sale whose response was lost is recorded once, and shown as it was recorded", async () => {
	const { made, sell } = openShop(1);
	await expect(sell(soap, { ...cash, paid: 50 })).rejects.toThrow("No answer");
	const sale = await sell(soap, { ...cash, paid: 100 });
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
