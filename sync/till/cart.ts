import * as z from "zod";

const line = z.object({
	id: z.string(),
	productId: z.string().nullable(),
	name: z.string(),
	quantity: z.number(),
	price: z.number(),
	cost: z.number(),
	isService: z.boolean(),
	/** The price before any discount: the product's own, or the one that was set by hand. */
	listPrice: z.number(),
	/** Its product had no price when it was added: whoever sells it says what it costs. */
	hasNoPrice: z.boolean().optional(),
});

/** A sale in the making; held ones wait under their id. Amounts and quantities are decimals as they travel. */
export const cart = z.object({
	id: z.string().min(1).max(64),
	lines: z.array(line),
	note: z.string(),
	/** When it was put aside. */
	heldAt: z.string().optional(),
});

export type Cart = z.output<typeof cart>;
export type CartLine = z.output<typeof line>;
