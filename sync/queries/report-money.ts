import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { day, timestamp } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { creditMethod } from "../entities/payment.ts";
import { readDayFacts } from "../entities/shift-facts.ts";
import {
	figuresOf,
	type ShiftFact,
	shiftFigures,
} from "../entities/shift-figures.ts";
import { assertPeriod, daysOf, factDaysMax, periodDays } from "./period.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { userName } from "./user-name.ts";

const moneySums = z.object({
	/** What was sold less what came back, after discounts and with tax. */
	revenue: z.number(),
	/** The revenue without tax. */
	net: z.number(),
	tax: z.number(),
	/** What came in, by all methods, for sales and debts, less what was given back. */
	taken: z.number(),
	/** What customers owe more for what they bought. */
	owed: z.number(),
	figures: shiftFigures,
});

const moneyReport = z
	.object({
		from: day,
		to: day,
		total: moneySums,
		/** Who sold, gave back and collected; the highest revenue first. */
		cashiers: z.array(
			moneySums.extend({
				userId: z.string().nullable(),
				/** Null if this database does not know the account. */
				cashier: z.string().nullable(),
			}),
		),
		/** The shifts that the facts belong to, the oldest first; what was done without one comes last. */
		shifts: z.array(
			moneySums.extend({
				shiftId: z.string().nullable(),
				openedAt: timestamp.nullable(),
				openedBy: z.string().nullable(),
			}),
		),
	})
	.meta({ id: "MoneyReport" });
export type MoneyReport = z.input<typeof moneyReport>;

/** Money by tender, cashier and shift. It reads the period's facts one by one, and so has 92 days at most. */
export const reportMoney = defineQuery({
	name: "report.money",
	summary:
		"Revenue with and without tax, what was taken and owed, refunds and discounts, by tender, cashier and shift, in at most 92 days",
	args: z.strictObject(periodDays),
	older: { since: ({ from = "" }) => from },
	answer: moneyReport,
	// It says what should be in a drawer.
	roles: managing,
	async run(context, period) {
		assertPeriod(period, factDaysMax);
		const { tx, businessId } = context;
		const facts: ShiftFact[] = [];
		for (const day of daysOf(period))
			facts.push(...(await readDayFacts(tx, businessId, day)));
		const cashiers = [];
		for (const [userId, made] of Map.groupBy(facts, ({ userId }) => userId))
			cashiers.push({
				...{ userId, cashier: await userName(context, userId) },
				...sumsOf(made),
			});
		const shifts = [];
		for (const [shiftId, made] of Map.groupBy(facts, ({ shiftId }) => shiftId))
			shifts.push({
				...{ shiftId, ...(await readOpening(context, shiftId)) },
				...sumsOf(made),
			});
		const last = "9999";
		return {
			...period,
			total: sumsOf(facts),
			cashiers: cashiers.toSorted((a, b) => b.revenue - a.revenue),
			shifts: shifts.toSorted((a, b) =>
				(a.openedAt ?? last) < (b.openedAt ?? last) ? -1 : 1,
			),
		};
	},
});

function sumsOf(facts: readonly ShiftFact[]): z.input<typeof moneySums> {
	const figures = figuresOf(facts);
	const { sales, refunds, voids, methods, taxes = [] } = figures;
	const revenue = sales.total - refunds.total - voids.total;
	let [tax, taken, owed] = [0, 0, 0];
	for (const sums of taxes) tax += sums.tax;
	for (const { method, sold, givenBack, collected } of methods)
		if (method === creditMethod) owed += sold - givenBack;
		else taken += sold - givenBack + collected;
	return {
		revenue: toDecimal(revenue),
		net: toDecimal(revenue - tax),
		tax: toDecimal(tax),
		taken: toDecimal(taken),
		owed: toDecimal(owed),
		figures: z.encode(shiftFigures, figures),
	};
}

async function readOpening(context: QueryContext, shiftId: string | null) {
	const row = await context.tx.get(
		"SELECT created_at, user_id FROM shifts WHERE business_id = ? AND id = ?",
		context.businessId,
		shiftId,
	);
	return {
		openedAt: (row?.created_at as string | undefined) ?? null,
		openedBy: await userName(context, (row?.user_id as string | null) ?? null),
	};
}
