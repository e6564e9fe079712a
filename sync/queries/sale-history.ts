import * as z from "zod";
import { day, searchable } from "../entities/fields.ts";
import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import { refund } from "../entities/refund.ts";
import { type Sale, sale, saleItemRow, saleWire } from "../entities/sale.ts";
import { addDays } from "../protocol/clock.ts";
import { selectRows, selectWires } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { placeOf, readPlace } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { saleState, saleStateOf } from "./sale-state.ts";
import { readDaySums } from "./tallies.ts";

/** Sales that one answer looks through for a word: 3 ms, after which others have their turn. */
const sliceMax = 2_000;

const listedSale = saleWire
	.extend({
		status: saleState,
		/** What was given back in all. */
		refundedTotal: z.number(),
	})
	.meta({ id: "ListedSale" });
type ListedSale = z.input<typeof listedSale>;

/** Days of the business, both inclusive. */
const days = { from: day.optional(), to: day.optional() };
const filter = {
	...days,
	/** A part of the receipt's number, of a line's name, of the payment method or of the notes. */
	search: z.string().min(1).optional(),
};
type Filter = z.output<z.ZodObject<typeof filter>>;

/**
 * Where a word is looked for, one answer looks through a slice, so that a word that is nowhere in a million sales does not
 * hold up a till.
 */
export const saleHistory = defineList({
	name: "sale.history",
	summary:
		"Sales of some days or with some words, the newest first, page by page",
	args: filter,
	row: listedSale,
	placeOf,
	read: readHistory,
});

/** What files of sales are made of. */
const saleWithLines = listedSale.extend({
	items: z.array(
		saleItemRow.extend({
			/** The product's now; null where it is unknown or has none. */
			sku: z.string().nullable(),
			total: z.number(),
		}),
	),
});
export type SaleWithLines = z.input<typeof saleWithLines>;

export const saleLines = defineList({
	name: "sale.lines",
	summary: "The same sales, their lines with code and total",
	args: filter,
	row: saleWithLines,
	placeOf,
	async read(context, filter, page) {
		const { rows, stoppedAt } = await readHistory(context, filter, page);
		const skus = await readSkus(context, rows);
		return {
			stoppedAt,
			rows: rows.map((sale) => ({
				...sale,
				items: sale.items.map((item) => ({
					...item,
					sku: skus.get(item.productId) ?? null,
					total: totalOf(item),
				})),
			})),
		};
	},
});

export const saleTotals = defineQuery({
	name: "sale.totals",
	summary: "The sums of all days of a range, however many sales they have",
	args: z.strictObject(days),
	answer: z.object({
		/** Sales that were not voided. */
		salesCount: z.int(),
		/** What was sold less what was taken back, each on its own day. */
		revenue: z.number(),
		/** What was taken back, which `revenue` is less by. */
		refunded: z.number(),
	}),
	settles: true,
	async run({ tx, businessId }, { from, to }) {
		const sums = await readDaySums(
			tx,
			businessId,
			"day",
			from ? addDays(from, -1) : "",
			to ?? "9999-12-31",
		);
		const sum = (field: "sales" | "revenue" | "refunded") =>
			sums.reduce((sum, day) => sum + Number(day[field]), 0);
		return {
			salesCount: sum("sales"),
			revenue: toDecimal(sum("revenue")),
			refunded: toDecimal(sum("refunded")),
		};
	},
});

async function readHistory(
	context: QueryContext,
	filter: Filter,
	{ after, limit }: { after: string | undefined; limit: number },
) {
	const { search } = filter;
	const end = search ? await endOfSlice(context, filter, after) : undefined;
	const rows = await readSales(
		context,
		[within(filter, after, end), withWord(search)],
		limit,
	);
	const last = rows.at(-1);
	const isFull = last !== undefined && rows.length === limit;
	const found = rows.filter((one) => hasWord(one, search));
	return {
		rows: await withStandings(context, found),
		stoppedAt: isFull ? placeOf(last) : end,
	};
}

interface Where {
	sql: string;
	params: Value[];
}

/** By product. */
async function readSkus(
	{ tx, businessId }: QueryContext,
	sales: Sale[],
): Promise<Map<string | null, string>> {
	const ids = sales.flatMap(({ items }) => items.map((item) => item.productId));
	const skus = new Map<string | null, string>();
	for (const id of new Set(ids)) {
		if (id === null) continue;
		const found = await tx.get(
			"SELECT sku FROM products WHERE business_id = ? AND id = ?",
			businessId,
			id,
		);
		if (typeof found?.sku === "string") skus.set(id, found.sku);
	}
	return skus;
}

function totalOf({ price, quantity }: Sale["items"][number]): number {
	const line = { price: toMicros(price), quantity: toMicros(quantity) };
	return toDecimal(sumOfProducts([line]));
}

/** @returns where the next slice of sales ends; undefined for the last one */
async function endOfSlice(
	{ tx, businessId }: QueryContext,
	filter: Filter,
	after: string | undefined,
): Promise<string | undefined> {
	const { sql, params } = within(filter, after);
	const row = await tx.get(
		`SELECT count(*) AS sales, min(created_at || '_' || id) AS last FROM (
       SELECT created_at, id FROM sales WHERE business_id = ? AND deleted = 0 ${sql}
       ORDER BY created_at DESC, id DESC LIMIT ${sliceMax}) AS slice`,
		businessId,
		...params,
	);
	const isLast = Number(row?.sales) < sliceMax;
	return isLast ? undefined : (row?.last as string);
}

function readSales(
	{ tx, businessId }: QueryContext,
	wheres: Where[],
	limit: number,
): Promise<Sale[]> {
	return selectWires<Sale>(
		tx,
		sale,
		businessId,
		`${wheres.map(({ sql }) => sql).join(" ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
		...wheres.flatMap(({ params }) => params),
		limit,
	);
}

/**
 * Sales of some days, after one cursor and down to another. A day and its moments are never further apart than zones and a
 * bar's night, so that the index by time finds them: by one bound at each end, as it can use no more. Whatever else could
 * be looked up in an index is hidden from it: the index by day would sort all sales of the range for each page.
 */
function within(
	{ from, to }: Filter,
	after?: string | undefined,
	downTo?: string | undefined,
): Where {
	const sql: string[] = [];
	const params: Value[] = [];
	const add = (condition: string, ...values: Value[]) => {
		sql.push(`AND ${condition}`);
		params.push(...values);
	};
	const lower: string[] = [];
	const upper: string[] = [];
	if (from) {
		lower.push(`${addDays(from, -2)}T00:00:00.000Z`);
		add("business_day || '' >= ?", from);
	}
	if (to) {
		// A year of five digits would sort before all others.
		if (addDays(to, 3) > to) upper.push(`${addDays(to, 3)}T00:00:00.000Z`);
		add("business_day || '' <= ?", to);
	}
	const first = readPlace(after);
	if (first) {
		upper.push(first.at);
		add("(created_at || '', id) < (?, ?)", first.at, first.id);
	}
	const last = readPlace(downTo);
	if (last) {
		lower.push(last.at);
		add("(created_at || '', id) >= (?, ?)", last.at, last.id);
	}
	const [latest] = lower.toSorted().toReversed();
	const [earliest] = upper.toSorted();
	if (latest) add("created_at >= ?", latest);
	if (earliest) add("created_at <= ?", earliest);
	return { sql: sql.join(" "), params };
}

/**
 * Narrows the search to the word's longest part in plain letters: SQLite's own functions know the case of no others. A
 * text with any others may hold the same letters as other signs, such as full-width ones. What it finds is looked at
 * once more by `hasWord`.
 */
function withWord(search: string | undefined): Where {
	if (!search) return { sql: "", params: [] };
	const [plain = ""] = searchable(search)
		.split(/[^ -~]+/)
		.toSorted((a, b) => b.length - a.length);
	const pattern = `%${plain.replace(/[!%_]/g, "!$&")}%`;
	const like = (column: string) =>
		`lower(${column}) LIKE ? ESCAPE '!' OR octet_length(${column}) <> length(${column})`;
	return {
		sql: `AND (${like("receipt_number")} OR ${like("payment_method")} OR ${like("notes")} OR EXISTS (
      SELECT 1 FROM sale_items WHERE sale_items.business_id = sales.business_id AND sale_id = sales.id AND (${like("name")})))`,
		params: [pattern, pattern, pattern, pattern],
	};
}

function hasWord(
	{ receiptNumber, paymentMethod, notes, items }: Sale,
	search: string | undefined,
): boolean {
	if (!search) return true;
	const word = searchable(search);
	return [
		receiptNumber,
		paymentMethod,
		notes,
		...items.map(({ name }) => name),
	].some((text) => text !== null && searchable(text).includes(word));
}

async function withStandings(
	{ tx, businessId }: QueryContext,
	sales: Sale[],
): Promise<ListedSale[]> {
	const listed: ListedSale[] = [];
	for (const one of sales) {
		const refunds = await selectRows(
			tx,
			refund,
			businessId,
			"AND sale_id = ? AND deleted = 0",
			one.id,
		);
		const back = refunds.map(({ row }) => row);
		listed.push({
			...one,
			status: saleStateOf(
				one.items.map(({ id, quantity }) => ({
					id,
					quantity: toMicros(quantity),
				})),
				back,
			),
			refundedTotal: toDecimal(back.reduce((sum, { total }) => sum + total, 0)),
		});
	}
	return listed;
}
