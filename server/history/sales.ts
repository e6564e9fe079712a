import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { addDays } from "../../sync/clock.ts";
import { refund } from "../../sync/entities/refund.ts";
import { type Sale, sale, saleWire } from "../../sync/entities/sale.ts";
import { searchable } from "../../sync/fields.ts";
import { toDecimal, toMicros } from "../../sync/money.ts";
import { standing, standingOf } from "../../sync/queries/standing.ts";
import { selectRows, selectWires } from "../../sync/rows.ts";
import type { Connection, Store, Value } from "../../sync/store/store.ts";
import { readDaySums } from "../../sync/tallies.ts";

/** Sales that are looked through for a word in one turn: 3 ms, after which others have theirs. */
const sliceMax = 2_000;

export const listedSale = saleWire
	.extend({
		status: standing,
		/** What was given back in all. */
		refundedTotal: z.number(),
	})
	.meta({ id: "ListedSale" });
export type ListedSale = Sale &
	Pick<z.output<typeof listedSale>, "status" | "refundedTotal">;

/** Which sales: of days of the business, both inclusive, and with a word. */
export interface Filter {
	from?: string | undefined;
	to?: string | undefined;
	search?: string | undefined;
}

export interface Page {
	sales: ListedSale[];
	/** Of the next page; null after the last. */
	nextCursor: string | null;
}

interface Where {
	sql: string;
	params: Value[];
}

/**
 * A page of sales, the newest first. Where a word is looked for, it reads on until the page is full, in slices, so that
 * a word that is nowhere in a million sales does not hold up a till.
 *
 * @param isWanted false ends the search: nobody waits for it any more
 */
export async function readPage(
	store: Store,
	businessId: string,
	filter: Filter,
	cursor: string | undefined,
	limit: number,
	isWanted: () => boolean = () => true,
): Promise<Page> {
	const word = withWord(filter.search);
	const found: Sale[] = [];
	let after = cursor;
	for (let isLast = false; !isLast && found.length <= limit && isWanted(); ) {
		isLast = await store.read(async (tx) => {
			const slice = filter.search
				? await readSlice(tx, businessId, filter, after)
				: undefined;
			const rows = await readSales(
				tx,
				businessId,
				[within(filter, after, slice?.end), word],
				limit + 1,
			);
			found.push(...rows.filter((one) => hasWord(one, filter.search)));
			if (rows.length > limit) after = cursorOf(rows.at(-1) as Sale);
			else after = slice?.end;
			return rows.length <= limit && (slice?.isLast ?? true);
		});
		if (!isLast && found.length <= limit) await nextTurn();
	}
	const sales = found.slice(0, limit);
	return {
		sales: await store.read((tx) => withStandings(tx, businessId, sales)),
		nextCursor:
			found.length > limit && limit > 0 ? cursorOf(sales.at(-1) as Sale) : null,
	};
}

export const totals = z.object({
	/** Sales that were not voided. */
	salesCount: z.int(),
	/** What was sold less what was taken back, each on its own day. */
	revenue: z.number(),
	/** What was taken back, which `revenue` is less by. */
	refunded: z.number(),
});

/** The sums of all days of a range, however many pages their sales fill. */
export async function readTotals(
	tx: Connection,
	businessId: string,
	{ from, to }: Filter,
): Promise<z.output<typeof totals>> {
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
}

/** By product; what is unknown or has none is left out. */
export async function readSkus(
	tx: Connection,
	businessId: string,
	productIds: (string | null)[],
): Promise<Map<string, string>> {
	const skus = new Map<string, string>();
	for (const id of new Set(productIds)) {
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

/** Where the next sales to look through end. */
async function readSlice(
	tx: Connection,
	businessId: string,
	filter: Filter,
	after: string | undefined,
): Promise<{ end: string | undefined; isLast: boolean }> {
	const { sql, params } = within(filter, after);
	const row = await tx.get(
		`SELECT count(*) AS sales, min(created_at || '_' || id) AS last FROM (
       SELECT created_at, id FROM sales WHERE business_id = ? AND deleted = 0 ${sql}
       ORDER BY created_at DESC, id DESC LIMIT ${sliceMax}) AS slice`,
		businessId,
		...params,
	);
	return {
		end: (row?.last as string | null) ?? undefined,
		isLast: Number(row?.sales) < sliceMax,
	};
}

async function readSales(
	tx: Connection,
	businessId: string,
	wheres: Where[],
	limit: number,
): Promise<Sale[]> {
	const rows = await selectWires(
		tx,
		sale,
		businessId,
		`${wheres.map(({ sql }) => sql).join(" ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
		...wheres.flatMap(({ params }) => params),
		limit,
	);
	return rows as unknown as Sale[];
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
	const first = placeOf(after);
	if (first) {
		upper.push(first.at);
		add("(created_at || '', id) < (?, ?)", first.at, first.id);
	}
	const last = placeOf(downTo);
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

function cursorOf({ createdAt, id }: Sale): string {
	return `${createdAt}_${id}`;
}

/** A cursor that can't be read is none. */
function placeOf(cursor = ""): { at: string; id: string } | undefined {
	// An id may hold anything, also what parts it from the moment.
	const [, at, id] = /^([^_]+)_(.+)$/s.exec(cursor) ?? [];
	return at && id ? { at, id } : undefined;
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
	tx: Connection,
	businessId: string,
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
			status: standingOf(
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
