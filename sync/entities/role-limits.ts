import * as z from "zod";
import { amount, percent } from "./fields.ts";

/** The roles that an owner can limit. */
export const limitedRoles = ["CASHIER", "MANAGER"] as const;

/**
 * How far members of a role may go before somebody has to approve it, or the inbox says so. What is absent has no limit.
 */
export const roleLimits = z
	.strictObject({
		role: z.enum(limitedRoles),
		/** How much less than its price a product may be sold for, in percent of the price. */
		discountMax: percent.optional(),
		/** What a line without a product may cost. */
		openItemMax: amount.optional(),
		/** What may be given back for a sale, by a refund or by a void. */
		refundMax: amount.optional(),
		voidMax: amount.optional(),
		/** What may be taken out of the drawer at once. */
		cashOutMax: amount.optional(),
		/** False if only one's own sales may be refunded or voided. */
		mayTakeBackOthers: z.boolean().optional(),
		/** False if the drawer may not be opened without a sale. */
		mayOpenDrawer: z.boolean().optional(),
		/** False if screens and REST keep costs and profit from cashiers; a manager changes costs, and so sees them. */
		seesProfit: z.boolean().optional(),
	})
	.meta({ id: "RoleLimits" });
/** In stored form: amounts are in millionths. */
export type RoleLimits = z.output<typeof roleLimits>;
