import * as z from "zod";
import type { Business, business } from "../entities/business.ts";
import type { RowOf } from "../entities/entity.ts";

/** What a receipt or a statement says of the shop. A till sells without the receipts themselves. */
export const letterhead = z.object({
	name: z.string(),
	header: z.string().nullable(),
	footer: z.string().nullable(),
	currency: z.string(),
	/** Absent for the language of the till. */
	language: z.string().optional(),
	logoUrl: z.string().optional(),
});

export function letterheadOf(
	shop: RowOf<typeof business> | Business,
): z.infer<typeof letterhead> {
	return {
		name: shop.name,
		header: shop.receiptHeader,
		footer: shop.receiptFooter,
		currency: shop.currency,
		language: shop.receiptLanguage ?? undefined,
		logoUrl: shop.receiptLogoUrl ?? undefined,
	};
}
