import * as z from "zod";

const line = z.object({
	id: z.string(),
	productId: z.string().nullable(),
	name: z.string(),
	quantity: z.number(),
	price: z.number(),
	cost: z.number(),
	isService: z.boolean(),
	/** The price before any discount: the product's, or one that the cashier entered. */
	listPrice: z.number(),
	/** The product had no price when it was added, so the cashier enters one. */
	hasNoPrice: z.boolean().optional(),
	/** The pack that quantity, price and cost are of. Absent for the product's own unit. */
	packId: z.string().optional(),
	packName: z.string().optional(),
	packSize: z.number().optional(),
	/** What packSize counts, or without a pack the quantity. Absent for pieces. */
	unit: z.string().optional(),
});

/** A cart: a sale in progress, or a held one. Amounts and quantities are decimals. */
export const cart = z.object({
	id: z.string().min(1).max(64),
	lines: z.array(line),
	note: z.string(),
	/** Lines that were taken out, until that is recorded. */
	removed: z.array(line).optional(),
	/** When it was held, in ISO 8601. Absent for a window's current cart. */
	heldAt: z.string().optional(),
});

export type Cart = z.output<typeof cart>;
export type CartLine = z.output<typeof line>;
