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

/** What came in by one tender, change taken off, less what was given back by it; with CREDIT, what customers owe more. */
export const tenderFigures = z.object({
	method: z.string(),
	/** Voided sales do not count; a sale by two tenders counts for both. */
	salesCount: z.int(),
	amount: z.number(),
	/** What `amount` is reduced by. */
	refunded: z.number(),
});

/** Sums tenders of any days, the highest amount first. */
export function toTenders(
	all: readonly DaySums[],
): z.infer<typeof tenderFigures>[] {
	return [...Map.groupBy(all, ({ key }) => key)]
		.map(([method, sums]) => {
			const { salesCount, revenue: amount, refunded } = toFigures(sums);
			return { method, salesCount, amount, refunded };
		})
		.toSorted((a, b) => b.amount - a.amount || (a.method < b.method ? -1 : 1));
}

/** Leaves out what was taken by each method. */
export function withoutTenders<
	Found extends { paymentMethods: unknown[]; tenders: unknown[] },
>(found: Found): Found {
	return { ...found, paymentMethods: [], tenders: [] };
}
