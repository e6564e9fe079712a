import * as z from "zod";
import { day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { sumByTax, type TaxedAmount } from "../entities/tax-amount.ts";
import { inDays, lineFacts, term } from "./facts.ts";
import {
	assertPeriod,
	daysOf,
	factDaysMax,
	type Period,
	periodDays,
	rangeOf,
} from "./period.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { all, sql } from "./sql.ts";

const sums = z.object({
	/** The price without tax. */
	net: z.number(),
	tax: z.number(),
	/** The price with tax. */
	gross: z.number(),
});

const taxReport = z
	.object({
		from: day,
		to: day,
		/** By class and rate; what was sold without tax comes last. */
		rows: z.array(
			z.object({
				/** Null for what was sold without tax. */
				taxClass: z.string().nullable(),
				/** The class's name today. Null without tax, or if this database has never had the class. */
				name: z.string().nullable(),
				/** In percent. */
				taxRate: z.number().nullable(),
				sold: sums,
				/** What refunds and voids took back, on their own days and at the rate of the sale. */
				refunded: sums,
			}),
		),
		/** What was sold less what was taken back, of all classes. */
		total: sums,
	})
	.meta({ id: "TaxReport" });

/** Tax by class and rate. It reads the period's lines by the index of days, and so has 92 days at most. */
export const reportTax = defineQuery({
	name: "report.tax",
	summary:
		"Net, tax and gross by tax class and rate in a period of at most 92 days, with refunds apart",
	args: z.strictObject(periodDays),
	older: { since: ({ from = "" }) => from },
	answer: taxReport,
	async run(context, period) {
		assertPeriod(period, factDaysMax);
		const { sold, refunded } = await readAmounts(context, period);
		const names = await readNames(context);
		const rates = sumByTax([...sold, ...refunded]);
		return {
			...period,
			rows: rates.map(({ taxClass, taxRate }) => ({
				taxClass,
				name: names.get(taxClass) ?? null,
				taxRate: taxRate === null ? null : toDecimal(taxRate),
				sold: at(sold, taxClass, taxRate),
				refunded: at(refunded, taxClass, taxRate),
			})),
			total: totalOf([
				...sold,
				...refunded.map((one) => ({
					...{ gross: -one.gross, tax: -one.tax },
				})),
			]),
		};
	},
});

/** The sums of one class at one rate. */
function at(
	amounts: readonly TaxedAmount[],
	taxClass: string | null,
	taxRate: number | null,
): z.infer<typeof sums> {
	return totalOf(
		amounts.filter(
			(one) =>
				(one.taxClass ?? null) === taxClass &&
				(one.taxRate ?? null) === taxRate,
		),
	);
}

function totalOf(
	amounts: readonly Pick<TaxedAmount, "gross" | "tax">[],
): z.infer<typeof sums> {
	const sum = (field: "gross" | "tax") =>
		amounts.reduce((total, one) => total + one[field], 0);
	const [gross, tax] = [sum("gross"), sum("tax")];
	return {
		net: toDecimal(gross - tax),
		tax: toDecimal(tax),
		gross: toDecimal(gross),
	};
}

/** Reads what was sold and what came back by day, class and rate. Each day is a statement, so that others get a turn. */
async function readAmounts({ tx, businessId }: QueryContext, period: Period) {
	const amounts: Record<"sold" | "refunded", TaxedAmount[]> = {
		sold: [],
		refunded: [],
	};
	for (const day of daysOf(period)) {
		const facts = lineFacts(
			businessId,
			inDays(rangeOf({ from: day, to: day })),
			({ revenue, isSold }) =>
				sql`sale_items.tax_class, sale_items.tax_rate, ${isSold ? 1 : 0} AS is_sold, ${term(isSold ? revenue : `-(${revenue})`)} AS gross, ${term(`coalesce(${isSold ? "sale_items" : "refund_items"}.tax, 0)`)} AS tax`,
		);
		const rows = await all(
			tx,
			sql`SELECT tax_class, tax_rate, is_sold, sum(gross) AS gross, sum(tax) AS tax FROM (${facts}) AS facts GROUP BY tax_class, tax_rate, is_sold`,
		);
		for (const row of rows)
			amounts[Number(row.is_sold) === 1 ? "sold" : "refunded"].push({
				taxClass: (row.tax_class as string | null) ?? undefined,
				taxRate: row.tax_rate === null ? undefined : Number(row.tax_rate),
				gross: Number(row.gross),
				tax: Number(row.tax),
			});
	}
	return amounts;
}

async function readNames({
	tx,
	businessId,
}: QueryContext): Promise<Map<string | null, string>> {
	const rows = await all(
		tx,
		sql`SELECT id, name FROM taxes WHERE business_id = ${businessId}`,
	);
	return new Map(rows.map(({ id, name }) => [id as string, name as string]));
}
