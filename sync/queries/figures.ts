import * as z from "zod";
import { toDecimal } from "../entities/money.ts";
import type { DaySums } from "./tallies.ts";

/** Sales less refunds and voids. */
export const figures = z.object({
	/** Voided sales do not count. */
	salesCount: z.int(),
	/** A refund or void counts on its own day. */
	revenue: z.number(),
	/** A refund reduces the cost only if its goods returned to stock. */
	cost: z.number(),
	profit: z.number(),
	/** The refunds and voids that `revenue` is reduced by. */
	refunded: z.number(),
	/** Revenue per sale. Null if there was no sale. */
	averageBasket: z.number().nullable(),
});
export type Figures = z.infer<typeof figures>;

/** Sums figures of any days and keys. */
export function toFigures(all: readonly DaySums[]): Figures {
	const sum = (field: "sales" | "revenue" | "cost" | "refunded") =>
		all.reduce((total, sums) => total + sums[field], 0);
	const sales = sum("sales");
	const revenue = sum("revenue");
	return {
		salesCount: sales,
		revenue: toDecimal(revenue),
		cost: toDecimal(sum("cost")),
		profit: toDecimal(revenue - sum("cost")),
		refunded: toDecimal(sum("refunded")),
		averageBasket: sales === 0 ? null : toDecimal(Math.round(revenue / sales)),
	};
}
