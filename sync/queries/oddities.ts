import * as z from "zod";
import { timestamp } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { dayNumber, quarterOf } from "../protocol/clock.ts";
import type { DbRow } from "../store/store.ts";
import type { DayClock } from "./day-clock.ts";
import { product, term } from "./facts.ts";
import type { QueryContext } from "./query.ts";
import { all, sql } from "./sql.ts";
import type { DaySums } from "./tallies.ts";
import { medianOf } from "./usual.ts";

const perKindMax = 3;
/** A discount is large from this part of the list price: a fifth. */
const largeDiscountPart = 5;
/** Refunds of a day that are many: at least three, of at least a twentieth of what was sold. */
const manyRefunds = 3;
const manyRefundsShare = 20;
/** A pause is odd after two hours in which the shop usually makes at least four sales. */
const quietMinutes = 120;
const quietSales = 4;

/** Something about today that a person should look at. */
export const oddity = z.discriminatedUnion("code", [
	/** Lines of a product that were sold for less than they cost. */
	z.object({
		code: z.literal("under_cost"),
		/** Null for an open item. */
		productId: z.string().nullable(),
		name: z.string(),
		/** The lowest price, and the highest cost. */
		price: z.number(),
		cost: z.number(),
		quantity: z.number(),
		loss: z.number(),
	}),
	/** A line sold for a fifth less than its list price, or for less. */
	z.object({
		code: z.literal("large_discount"),
		saleId: z.string(),
		/** Null for an open item. */
		productId: z.string().nullable(),
		name: z.string(),
		price: z.number(),
		listPrice: z.number(),
		quantity: z.number(),
		discount: z.number(),
	}),
	z.object({
		code: z.literal("many_refunds"),
		/** Refunds and voids. */
		refunds: z.int(),
		refunded: z.number(),
	}),
	/** No sale for hours that usually have some. */
	z.object({
		code: z.literal("quiet"),
		/** The last sale; null if there was none today. */
		since: timestamp.nullable(),
		/** What the same weekdays usually sell in these hours. */
		usualSales: z.int(),
	}),
]);
type Oddity = z.infer<typeof oddity>;

/** What is known of today and of the same weekdays before. */
interface DaySoFar {
	today: string;
	weekdays: readonly string[];
	clock: DayClock;
	/** Sums of quarter hours of these days. */
	slots: readonly DaySums[];
}

/** Looks for what is odd about today. It reads the facts of today only, by the index of days. */
export async function readOddities(
	context: QueryContext,
	soFar: DaySoFar,
): Promise<Oddity[]> {
	return [
		...(await readUnderCost(context, soFar)),
		...(await readDiscounts(context, soFar)),
		...(await readRefunds(context, soFar)),
		...(await readPause(context, soFar)),
	];
}

/**
 * Today's lines of sales that stand. CROSS JOIN keeps the order of the tables: SQLite would begin with all lines of the
 * shop.
 */
const linesOf = (businessId: string, today: string) =>
	sql`sales CROSS JOIN sale_items
    WHERE sale_items.business_id = sales.business_id AND sale_items.sale_id = sales.id
      AND sales.business_id = ${businessId} AND sales.day_number = ${dayNumber(today)}
      AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.business_id = ${businessId} AND refunds.sale_id = sales.id AND refunds.kind = 'void')`;

/** What a line would bring at one of its columns more than at another. */
const difference = (more: string, less: string) =>
	`${product(`sale_items.${more}`, "sale_items.quantity")} - ${product(`sale_items.${less}`, "sale_items.quantity")}`;

const decimalOf = (value: unknown) => toDecimal(Number(value));

/** Quantity and price are of the pack, if there is one. */
const nameOf = ({ name, pack_name: pack }: DbRow) =>
	pack === null ? (name as string) : `${name} (${pack})`;

async function readUnderCost(
	{ tx, businessId }: QueryContext,
	{ today }: DaySoFar,
): Promise<Oddity[]> {
	const loss = term(difference("cost", "price"));
	const rows = await all(
		tx,
		sql`SELECT sale_items.product_id, sale_items.name, min(sale_items.price) AS price, max(sale_items.cost) AS cost,
        sum(${term("sale_items.quantity")}) AS quantity, sale_items.pack_name, sale_items.pack_size, sum(${loss}) AS loss
      FROM ${linesOf(businessId, today)} AND sale_items.price < sale_items.cost
      GROUP BY sale_items.product_id, sale_items.name, sale_items.pack_name, sale_items.pack_size HAVING sum(${loss}) > 0
      ORDER BY sum(${loss}) DESC, sale_items.name, sale_items.product_id LIMIT ${perKindMax}`,
	);
	return rows.map((row) => ({
		code: "under_cost",
		productId: row.product_id as string | null,
		name: nameOf(row),
		price: decimalOf(row.price),
		cost: decimalOf(row.cost),
		quantity: decimalOf(row.quantity),
		loss: decimalOf(row.loss),
	}));
}

async function readDiscounts(
	{ tx, businessId }: QueryContext,
	{ today }: DaySoFar,
): Promise<Oddity[]> {
	const discount = term(difference("list_price", "price"));
	const rows = await all(
		tx,
		sql`SELECT sale_items.*, ${discount} AS discount FROM ${linesOf(businessId, today)} AND sale_items.quantity > 0
        AND sale_items.list_price > sale_items.price AND (sale_items.list_price - sale_items.price) * ${largeDiscountPart} >= sale_items.list_price
      ORDER BY ${discount} DESC, sale_items.sale_id, sale_items.id LIMIT ${perKindMax}`,
	);
	return rows.map((row) => ({
		code: "large_discount",
		saleId: row.sale_id as string,
		productId: row.product_id as string | null,
		name: nameOf(row),
		price: decimalOf(row.price),
		listPrice: decimalOf(row.list_price),
		quantity: decimalOf(row.quantity),
		discount: decimalOf(row.discount),
	}));
}

async function readRefunds(
	{ tx, businessId }: QueryContext,
	{ today, slots }: DaySoFar,
): Promise<Oddity[]> {
	const [row] = await all(
		tx,
		sql`SELECT count(*) AS refunds, sum(${term("total")}) AS refunded FROM refunds
      WHERE business_id = ${businessId} AND business_day = ${today}`,
	);
	const refunds = Number(row?.refunds);
	const refunded = Number(row?.refunded);
	const sold = slots
		.filter(({ day }) => day === today)
		.reduce((sum, slot) => sum + slot.revenue + slot.refunded, 0);
	if (refunds < manyRefunds || refunded * manyRefundsShare < sold) return [];
	return [{ code: "many_refunds", refunds, refunded: toDecimal(refunded) }];
}

async function readPause(
	{ tx, businessId }: QueryContext,
	{ today, weekdays, clock, slots }: DaySoFar,
): Promise<Oddity[]> {
	if (weekdays.length === 0) return [];
	const [row] = await all(
		tx,
		sql`SELECT max(created_at) AS last FROM sales WHERE business_id = ${businessId} AND day_number = ${dayNumber(today)}`,
	);
	const since = (row?.last ?? null) as string | null;
	const { minuteOf, nowMinute } = clock;
	const from = since === null ? -1 : minuteOf(quarterOf(since));
	const isInPause = ({ key }: DaySums) =>
		minuteOf(key) > from && minuteOf(key) < nowMinute;
	const inPause = slots.filter(isInPause);
	const starts =
		since === null
			? inPause.filter(({ sales }) => sales > 0).map(({ key }) => minuteOf(key))
			: [from];
	const pauseMinutes = nowMinute - Math.min(...starts, nowMinute);
	const usualSales = medianOf(
		weekdays.map((day) =>
			inPause
				.filter((slot) => slot.day === day)
				.reduce((sum, { sales }) => sum + sales, 0),
		),
	);
	if (pauseMinutes < quietMinutes || usualSales < quietSales) return [];
	return [{ code: "quiet", since, usualSales }];
}
