import type { Sale } from "../../../sync/entities/sale.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import type { ReceiptCode } from "../scanner/receipt-code.ts";
import type { ShopClient } from "../shop/client.ts";

/** @returns null if the shop has no such sale, or this till doesn't have it yet */
export async function findByReceipt(
	shop: ShopClient,
	asked: ReceiptCode,
): Promise<Sale | null> {
	if ("number" in asked) return (await shop.ask("sale.byReceipt", asked)).sale;
	// Another shop's sale may have the same id.
	if (asked.businessId !== shop.businessId) return null;
	try {
		return await shop.ask("sale.get", { id: asked.saleId });
	} catch (error) {
		if (error instanceof ShopError && error.code === "not_found") return null;
		throw error;
	}
}
