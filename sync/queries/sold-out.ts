import * as z from "zod";
import { timestamp } from "../entities/fields.ts";
import { sumOfProducts, toDecimal } from "../entities/money.ts";
import { dayNumber, quarterOf } from "../protocol/clock.ts";
import type { DbRow } from "../store/store.ts";
import type { DayClock } from "./day-clock.ts";
import { hasProduct, units } from "./facts.ts";
import type { QueryContext } from "./query.ts";
import { all, raw, type Sql, sql, valuesOf } from "./sql.ts";

const soldOutMax = 5;
/** Days whose lines are read to tell how much more is usually sold. */
const comparedMax = 4;

export const soldOut = z.object({
	productId: z.string(),
	name: z.string(),
	/** The moment of the sale that took the last one. */
	ranOutAt: timestamp,
	/**
	 * What the last same weekdays sold from that time of day until the present, a day; null if there are too few, or if
	 * the product has no price.
	 */
	missed: z.object({ quantity: z.number(), revenue: z.number() }).nullable(),
});
type SoldOut = z.infer<typeof soldOut>;

/** A line of a sale that was not voided. */
interface SoldLine {
	day: string;
	productId: string;
	quantity: number;
	at: string;
}

interface Gone {
	id: string;
	name: string;
	quantity: number;
	price: number | null;
}

/**
 * Lists the products in stock this morning whose last one was sold today, the most money first. It reads the lines of
 * today, and of four days more if anything has run out.
 *
 * @param weekdays the same weekdays before, the newest first
 */
export async function readSoldOut(
	context: QueryContext,
	today: string,
	weekdays: readonly string[],
	clock: DayClock,
): Promise<SoldOut[]> {
	const gone = await readGone(context, today);
	if (gone.length === 0) return [];
	const compared = weekdays.slice(0, comparedMax);
	const ids = gone.map(({ id }) => id);
	const lines = await readLines(context, [today, ...compared], ids);
	const linesById = Map.groupBy(lines, ({ productId }) => productId);
	return gone
		.flatMap((product): SoldOut[] => {
			const lines = linesById.get(product.id) ?? [];
			const ranOutAt = lastOneSold(
				product.quantity,
				lines.filter(({ day }) => day === today),
			);
			if (ranOutAt === undefined) return [];
			const from = clock.minuteOf(quarterOf(ranOutAt));
			const more = lines.filter(({ day, at }) => {
				const minute = clock.minuteOf(quarterOf(at));
				return day !== today && minute > from && minute < clock.nowMinute;
			});
			return [
				{
					productId: product.id,
					name: product.name,
					ranOutAt,
					missed: missedOf(product, more, compared.length),
				},
			];
		})
		.slice(0, soldOutMax);
}

function missedOf(
	{ price }: Gone,
	lines: SoldLine[],
	days: number,
): SoldOut["missed"] {
	if (days === 0 || price === null) return null;
	const sold = lines.reduce((sum, { quantity }) => sum + quantity, 0);
	const quantity = Math.round(sold / days);
	return {
		quantity: toDecimal(quantity),
		revenue: toDecimal(sumOfProducts([{ price, quantity }])),
	};
}

/**
 * Walks back from the present stock. Deliveries and counts since are left out, which can only move the moment to a later
 * sale.
 *
 * @param lines today's, the newest first
 */
function lastOneSold(
	quantity: number,
	lines: readonly SoldLine[],
): string | undefined {
	let after = quantity;
	for (const line of lines) {
		const before = after + line.quantity;
		if (before > 0 && after <= 0) return line.at;
		after = before;
	}
	return undefined;
}

/**
 * Lines of sales that stand: a voided sale's goods did not leave the shop. CROSS JOIN keeps the order of the tables:
 * SQLite would begin with all lines of the shop.
 */
const soldLines = ({ businessId }: QueryContext, where: Sql) =>
	sql`FROM sales CROSS JOIN sale_items
    WHERE sale_items.business_id = sales.business_id AND sale_items.sale_id = sales.id AND sales.business_id = ${businessId} AND ${where} AND ${hasProduct}
      AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.business_id = ${businessId} AND refunds.sale_id = sales.id AND refunds.kind = 'void')`;

async function readGone(context: QueryContext, today: string): Promise<Gone[]> {
	const rows = await all(
		context.tx,
		sql`SELECT products.id, products.name, products.quantity, products.selling_price
      FROM (SELECT sale_items.product_id, sum(${raw(units())}) AS quantity ${soldLines(context, sql`sales.day_number = ${dayNumber(today)}`)}
        GROUP BY sale_items.product_id) AS sold
      CROSS JOIN products
      WHERE products.business_id = ${context.businessId} AND products.id = sold.product_id AND products.quantity <= 0 AND products.quantity + sold.quantity > 0
        AND products.is_active = 1 AND products.is_service = 0 AND products.deleted = 0
      ORDER BY sold.quantity * coalesce(products.selling_price, 0.0) DESC, products.id LIMIT ${2 * soldOutMax}`,
	);
	return rows.map(({ id, name, quantity, selling_price: price }) => ({
		id: id as string,
		name: name as string,
		quantity: Number(quantity),
		price: price === null ? null : Number(price),
	}));
}

/** Reads products' lines of some days, the newest first. */
async function readLines(
	context: QueryContext,
	days: readonly string[],
	productIds: readonly string[],
): Promise<SoldLine[]> {
	const rows: DbRow[] = [];
	// The expression keeps SQLite from reading all sales in the order of time.
	for (const day of days)
		rows.push(
			...(await all(
				context.tx,
				sql`SELECT sales.business_day, sales.created_at, sale_items.product_id, ${raw(units())} AS quantity
          ${soldLines(context, sql`sales.day_number = ${dayNumber(day)} AND sale_items.product_id IN (${valuesOf(productIds)})`)}
          ORDER BY sales.made_ms + 0 DESC, sales.id DESC, sale_items.position DESC`,
			)),
		);
	return rows.map((row) => ({
		day: row.business_day as string,
		productId: row.product_id as string,
		quantity: Number(row.quantity),
		at: row.created_at as string,
	}));
}
