import * as z from "zod";
import { day } from "../entities/fields.ts";
import {
	amountMax,
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../entities/money.ts";
import { readPayments } from "../entities/payment.ts";
import { refund } from "../entities/refund.ts";
import { type Sale, sale, saleWire } from "../entities/sale.ts";
import { saleItemRow } from "../entities/sale-item.ts";
import { searchable } from "../entities/searchable.ts";
import { addDays, dayNumber } from "../protocol/clock.ts";
import { selectRows, selectWires } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { likeText } from "./name-search.ts";
import { placeOf, readPlace } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { saleState, saleStateOf } from "./sale-state.ts";
import { readDaySums } from "./tallies.ts";

/** Sales that one answer searches for a word. They take 3 ms, and then other requests get a turn. */
const sliceMax = 2_000;
/** The longest text that is searched, a sale's notes. SQLite fails on a pattern that is much longer. */
const textMax = 2_000;

const listedSale = saleWire
	.extend({
		/** Null if this database does not know the account. */
		cashier: z.string().nullable(),
		status: saleState,
		/** The total of all refunds and voids. */
		refundedTotal: z.number(),
		/** What came in by each method. Absent if the sale's own row tells it. */
		tenders: z
			.array(z.object({ method: z.string(), amount: z.number() }))
			.optional(),
	})
	.meta({ id: "ListedSale" });
type ListedSale = z.input<typeof listedSale>;

/** Business days, both inclusive. */
const days = { from: day.optional(), to: day.optional() };
const filter = {
	...days,
	/** Part of the receipt number, a line's name, the payment method, a payment's code or the notes; or the total or the sum paid. */
	search: z.string().min(1).optional(),
	/** The sale's own, or that of one of its tenders. */
	paymentMethod: z.string().optional(),
	/** A product that a line sold. */
	productId: anyId.optional(),
};
type Filter = z.output<z.ZodObject<typeof filter>>;

/**
 * Lists sales by day, search word, payment method or product. One answer of a search looks through a limited number of sales, so that a word
 * that matches none of a million sales does not block a till.
 */
export const saleHistory = defineList({
	name: "sale.history",
	summary:
		"Sales by days, search word, payment method or product, the newest first",
	args: filter,
	older: "days",
	row: listedSale,
	placeOf,
	read: readHistory,
});

/** A sale as exported to files. */
const saleWithLines = listedSale.extend({
	items: z.array(
		saleItemRow.extend({
			/** The product's current code. Null if the product is unknown or has none. */
			sku: z.string().nullable(),
			total: z.number(),
		}),
	),
});
export type SaleWithLines = z.input<typeof saleWithLines>;

export const saleLines = defineList({
	name: "sale.lines",
	summary: "The same sales, with each line's code and total",
	args: filter,
	older: "days",
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
	summary: "Totals of a range of days",
	args: z.strictObject(days),
	answer: z.object({
		/** Voided sales do not count. */
		salesCount: z.int(),
		/** Sales less refunds and voids, each on its own day. */
		revenue: z.number(),
		/** The refunds and voids that `revenue` is reduced by. */
		refunded: z.number(),
	}),
	settles: true,
	older: { since: ({ from = "" }) => from },
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

export const saleDays = defineQuery({
	name: "sale.days",
	summary:
		"Totals of each day of a range, of all sales or of what came in by one tender",
	args: z.strictObject({
		from: day,
		to: day,
		paymentMethod: z.string().optional(),
	}),
	answer: z.object({
		days: z.array(
			z.object({
				day,
				/** As in `sale.totals`. */
				salesCount: z.int(),
				revenue: z.number(),
				refunded: z.number(),
			}),
		),
	}),
	settles: true,
	older: { since: ({ from = "" }) => from },
	whileCounting: (answer, { paymentMethod }) =>
		paymentMethod === undefined ? answer : { days: [] },
	async run({ tx, businessId }, { from, to, paymentMethod }) {
		const sums = await readDaySums(
			tx,
			businessId,
			paymentMethod === undefined ? "day" : "tender",
			addDays(from, -1),
			to,
		);
		return {
			days: sums
				.filter(
					({ key }) => paymentMethod === undefined || key === paymentMethod,
				)
				.map(({ day, sales, revenue, refunded }) => ({
					day,
					salesCount: Number(sales),
					revenue: toDecimal(Number(revenue)),
					refunded: toDecimal(Number(refunded)),
				}))
				.toSorted((a, b) => (a.day < b.day ? 1 : -1)),
		};
	},
});

async function readHistory(
	context: QueryContext,
	filter: Filter,
	{ after, limit }: { after: string | undefined; limit: number },
) {
	const { search, paymentMethod, productId } = filter;
	if (search && search.length > textMax)
		return { rows: [], stoppedAt: undefined };
	const isNarrowed = [search, paymentMethod, productId].some(
		(one) => one !== undefined,
	);
	const end = isNarrowed ? await endOfSlice(context, filter, after) : undefined;
	const rows = await readSales(
		context,
		[within(filter, after, end), withWord(search), soldAs(filter)],
		limit,
	);
	const last = rows.at(-1);
	const isFull = last !== undefined && rows.length === limit;
	const found: Sale[] = [];
	for (const one of rows)
		if (hasWord(one, search) || (await hasCode(context, one, search)))
			found.push(one);
	return {
		rows: await withStandings(context, found),
		stoppedAt: isFull ? placeOf(last) : end,
	};
}

interface Where {
	sql: string;
	params: Value[];
}

/** Product codes by product id. */
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

/** @returns the cursor at the end of the slice, or undefined for the last slice */
async function endOfSlice(
	{ tx, businessId }: QueryContext,
	filter: Filter,
	after: string | undefined,
): Promise<string | undefined> {
	const { sql, params } = within(filter, after);
	const row = await tx.get(
		`SELECT count(*) AS sales, min(created_at || '_' || id) AS last FROM (
       SELECT created_at, id FROM sales WHERE business_id = ? AND deleted = 0 ${sql}
       ORDER BY made_ms DESC, id DESC LIMIT ${sliceMax}) AS slice`,
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
		`${wheres.map(({ sql }) => sql).join(" ")} ORDER BY made_ms DESC, id DESC LIMIT ?`,
		...wheres.flatMap(({ params }) => params),
		limit,
	);
}

/**
 * Builds the conditions for sales of some days, after one cursor and up to another. Time zones and the cut-off hour
 * keep a business day within two days of its moments, so the index by time finds them by one bound at each end.
 * Expressions hide the other columns from their indexes: the index by day would sort all sales of the range for each
 * page.
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
	const lower: number[] = [];
	const upper: number[] = [];
	if (from) {
		lower.push(Date.parse(addDays(from, -2)));
		add("day_number + 0 >= ?", dayNumber(from));
	}
	if (to) {
		upper.push(Date.parse(addDays(to, 3)));
		add("day_number + 0 <= ?", dayNumber(to));
	}
	const first = readPlace(after);
	if (first) {
		upper.push(Date.parse(first.at));
		add("(made_ms + 0, id) < (?, ?)", Date.parse(first.at), first.id);
	}
	const last = readPlace(downTo);
	if (last) {
		lower.push(Date.parse(last.at));
		add("(made_ms + 0, id) >= (?, ?)", Date.parse(last.at), last.id);
	}
	if (lower.length > 0) add("made_ms >= ?", Math.max(...lower));
	if (upper.length > 0) add("made_ms <= ?", Math.min(...upper));
	return { sql: sql.join(" "), params };
}

/**
 * Narrows a search to the longest ASCII part of its word, because SQLite folds the case of ASCII letters only. A text
 * with other characters always passes, since it may hold the letters in another form, such as full-width ones.
 * `hasWord` then checks each result.
 */
function withWord(search: string | undefined): Where {
	if (!search) return { sql: "", params: [] };
	const [plain = ""] = searchable(search)
		.split(/[^ -~]+/)
		.toSorted((a, b) => b.length - a.length);
	const pattern = `%${likeText(plain)}%`;
	const amount = amountIn(search);
	const amounts = amount === undefined ? [] : [amount, amount];
	const like = (column: string) =>
		`lower(${column}) LIKE ? ESCAPE '!' OR octet_length(${column}) <> length(${column})`;
	return {
		sql: `AND (${amounts.length > 0 ? "total + 0 = ? OR paid + 0 = ? OR " : ""}${like("receipt_number")} OR ${like("payment_method")} OR ${like("notes")} OR ${like("payment_code")}
      OR has_payments = 1 AND EXISTS (SELECT 1 FROM payments WHERE payments.business_id = sales.business_id AND fact_id = sales.id AND kind = 'sale' AND (${like("code")}))
      OR EXISTS (
      SELECT 1 FROM sale_items WHERE sale_items.business_id = sales.business_id AND sale_id = sales.id AND (${like("name")})))`,
		params: [...amounts, ...new Array(6).fill(pattern)],
	};
}

/** @returns the millionths of an amount such as "299.25" or "1,240"; undefined for other words */
function amountIn(search: string): number | undefined {
	const digits = search.trim().replaceAll(",", "");
	if (!/^\d+(?:\.\d{1,6})?$/.test(digits)) return undefined;
	const amount = Number(digits);
	return amount <= amountMax ? toMicros(amount) : undefined;
}

/** The conditions for sales that were paid in a way, or sold a product. */
function soldAs({ paymentMethod, productId }: Filter): Where {
	const sql: string[] = [];
	const params: Value[] = [];
	if (paymentMethod !== undefined) {
		sql.push(`AND (payment_method = ? OR has_payments = 1 AND EXISTS (
      SELECT 1 FROM payments WHERE payments.business_id = sales.business_id AND fact_id = sales.id AND kind = 'sale' AND amount > 0 AND method = ?))`);
		params.push(paymentMethod, paymentMethod);
	}
	if (productId !== undefined) {
		sql.push(`AND EXISTS (
      SELECT 1 FROM sale_items WHERE sale_items.business_id = sales.business_id AND sale_id = sales.id AND product_id = ?)`);
		params.push(productId);
	}
	return { sql: sql.join(" "), params };
}

function hasWord(sold: Sale, search: string | undefined): boolean {
	if (!search) return true;
	const { receiptNumber, paymentMethod, notes, items, total, paid } = sold;
	const amount = amountIn(search);
	if (amount === toMicros(total) || amount === toMicros(paid)) return true;
	const word = searchable(search);
	return [
		receiptNumber,
		paymentMethod,
		notes,
		...items.map(({ name }) => name),
		sold.paymentCode ?? null,
	].some((text) => text !== null && searchable(text).includes(word));
}

/** Tells whether a payment beside a sale has a code with a word. */
async function hasCode(
	{ tx, businessId }: QueryContext,
	{ id, hasPayments }: Sale,
	search = "",
): Promise<boolean> {
	if (!hasPayments) return false;
	const word = searchable(search);
	const payments = await readPayments(tx, businessId, "sale", [id]);
	return payments.some(({ code = "" }) => searchable(code).includes(word));
}

async function withStandings(
	{ tx, businessId }: QueryContext,
	sales: Sale[],
): Promise<ListedSale[]> {
	const listed: ListedSale[] = [];
	const cashiers = await readNames(tx, sales);
	for (const one of sales) {
		const refunds = await selectRows(
			tx,
			refund,
			businessId,
			"AND sale_id = ? AND deleted = 0",
			one.id,
		);
		const back = refunds.map(({ row }) => row);
		const tenders = one.hasPayments
			? await readPayments(tx, businessId, "sale", [one.id])
			: undefined;
		listed.push({
			...one,
			cashier: cashiers.get(one.userId) ?? null,
			status: saleStateOf(
				one.items.map(({ id, quantity }) => ({
					id,
					quantity: toMicros(quantity),
				})),
				back,
			),
			refundedTotal: toDecimal(back.reduce((sum, { total }) => sum + total, 0)),
			...(tenders && {
				tenders: tenders.map(({ method, amount }) => ({
					...{ method, amount: toDecimal(amount) },
				})),
			}),
		});
	}
	return listed;
}

/** The names of the sales' cashiers, by user id. */
async function readNames(
	tx: QueryContext["tx"],
	sales: Sale[],
): Promise<Map<string | null, string>> {
	const names = new Map<string | null, string>();
	for (const id of new Set(sales.map(({ userId }) => userId))) {
		if (id === null) continue;
		const user = await tx.get("SELECT name FROM users WHERE id = ?", id);
		if (typeof user?.name === "string") names.set(id, user.name);
	}
	return names;
}
