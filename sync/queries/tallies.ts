import { addDays } from "../protocol/clock.ts";
import { isStorageError } from "../protocol/errors.ts";
import type { Connection, DbRow, Store, Value } from "../store/store.ts";

/*
 * Reports are sums over facts, and facts never change. So the database stores the sums of all facts up to a version,
 * and a reader adds the newer facts. Recording a sale costs nothing more.
 *
 *        folded into the tables              the tail, added by each reader
 *   ───────────────────────────────────┬──────────────────────────────────────
 *   version 1 … tallies.version        │  newer versions; on a till also its pending
 *                                      │  facts, which have version 0
 *
 * Money counts on the day it moves: a refund or void counts on its own day. A voided sale does not count as a sale, so
 * it leaves the count of the day it was made. A refund reduces the cost only if its goods returned to stock.
 */

/** The days that top products and the dashboard's charts cover. */
export const windowDays = 30;
/** A tail of more versions is folded before it is read. */
const tailMax = 200;
/** Versions folded in one transaction, which is as long as a concurrent sale may have to wait. */
const foldMax = 1_000;

const quarter = (at: string) =>
	`substr(${at}, 1, 14) || CASE WHEN substr(${at}, 15, 2) >= '45' THEN '45' WHEN substr(${at}, 15, 2) >= '30' THEN '30' WHEN substr(${at}, 15, 2) >= '15' THEN '15' ELSE '00' END`;

/** The keys of each kind of sum, as SQL on a sale and on a refund or void of one. */
const kinds = {
	day: { ofSale: "''", ofRefund: "''" },
	/** A quarter hour in UTC, `2026-11-20T08:45`: the hours of every time zone start with one. */
	slot: {
		ofSale: quarter("sales.created_at"),
		ofRefund: quarter("refunds.created_at"),
	},
	method: { ofSale: "sales.payment_method", ofRefund: "sales.payment_method" },
};
export type TallyKind = keyof typeof kinds;

/** A condition on `sales` or `refunds`, with the same parameters for both. */
type Where = (table: "sales" | "refunds") => string;

/**
 * A term of a sum. Integer sums beyond 64 bits fail in the database, and the report with them; floating-point sums stay
 * exact as long as a number can, and are approximate beyond.
 */
const term = (integer: string) => `(${integer} + 0.0)`;

/**
 * The contribution of each fact to the sums by day. Binds the business's id and the condition's parameters three times.
 */
function dayFacts(kind: TallyKind, where: Where): string {
	const { ofSale, ofRefund } = kinds[kind];
	const refunds =
		"FROM refunds JOIN sales ON sales.business_id = refunds.business_id AND sales.id = refunds.sale_id";
	return `SELECT sales.business_day AS day, ${ofSale} AS key, 1 AS sales, ${term("sales.total")} AS revenue, ${term("sales.cost")} AS cost, 0 AS refunded
      FROM sales WHERE sales.business_id = ? AND ${where("sales")}
    UNION ALL
    SELECT refunds.business_day, ${ofRefund}, 0, ${term("-refunds.total")}, ${term("-refunds.restock * refunds.cost")}, ${term("refunds.total")}
      ${refunds} WHERE refunds.business_id = ? AND ${where("refunds")}
    UNION ALL
    SELECT sales.business_day, ${ofSale}, -1, 0, 0, 0
      ${refunds} WHERE refunds.business_id = ? AND refunds.kind = 'void' AND ${where("refunds")}`;
}

/** `price x quantity` in millionths, rounded half up. Its parts stay within 64 bits if the sale's total does. */
const product = (price: string, quantity: string) =>
	`(${price} / 1000000 * ${quantity} + ${price} % 1000000 * (${quantity} / 1000000) + (${price} % 1000000 * (${quantity} % 1000000) + 500000) / 1000000)`;

/** The contribution of each line to its product's sums. Binds the business's id and the condition's parameters twice. */
function productFacts(where: Where): string {
	const sold = (field: string) =>
		product(`sale_items.${field}`, "sale_items.quantity");
	const back = (field: string) =>
		product(`sale_items.${field}`, "refund_items.quantity");
	return `SELECT sale_items.product_id, ${term("sale_items.quantity")} AS quantity, ${term(sold("price"))} AS revenue, ${term(`${sold("price")} - ${sold("cost")}`)} AS profit
      FROM sales JOIN sale_items ON sale_items.business_id = sales.business_id AND sale_items.sale_id = sales.id
      WHERE sales.business_id = ? AND sale_items.product_id IS NOT NULL AND ${where("sales")}
    UNION ALL
    SELECT sale_items.product_id, ${term("-refund_items.quantity")}, ${term(`-${back("price")}`)}, ${term(`refunds.restock * ${back("cost")} - ${back("price")}`)}
      FROM refunds JOIN refund_items ON refund_items.business_id = refunds.business_id AND refund_items.refund_id = refunds.id
      JOIN sale_items ON sale_items.business_id = refunds.business_id AND sale_items.sale_id = refunds.sale_id AND sale_items.id = refund_items.item_id
      WHERE refunds.business_id = ? AND sale_items.product_id IS NOT NULL AND ${where("refunds")}`;
}

const folding: Where = (table) =>
	`${table}.version > ? AND ${table}.version <= ?`;
/** The two parts of the tail, queried apart because no index covers both. */
const newer: Where = (table) => `${table}.version > ?`;
const unsent: Where = (table) => `${table}.version < 1`;
const inDays: Where = (table) =>
	`${table}.business_day > ? AND ${table}.business_day <= ?`;
/** Combined with a range of versions, whose index should be used: an expression uses none. */
const amongDays: Where = (table) =>
	`${table}.business_day || '' > ? AND ${table}.business_day || '' <= ?`;
const folded: Where = (table) =>
	`${table}.version + 0 >= 1 AND ${table}.version + 0 <= ?`;
const and =
	(...all: Where[]): Where =>
	(table) =>
		all.map((where) => where(table)).join(" AND ");

function times(count: number, ...params: Value[]): Value[] {
	return Array.from({ length: count }, () => params).flat();
}

interface Tallies {
	version: number;
	sales: number;
	windowDay: string;
}

async function readTallies(
	tx: Connection,
	businessId: string,
): Promise<Tallies | undefined> {
	const row = await tx.get(
		"SELECT version, sales, window_day FROM tallies WHERE business_id = ?",
		businessId,
	);
	return row && toTallies(row);
}

function toTallies(row: DbRow): Tallies {
	return {
		version: Number(row.version),
		sales: Number(row.sales),
		windowDay: row.window_day as string,
	};
}

/** Returns the newest version of any fact. A till receives whole versions in order, so none below it is missing. */
async function newestFact(tx: Connection, businessId: string): Promise<number> {
	const row = await tx.get(
		`SELECT (SELECT max(version) FROM sales WHERE business_id = ?) AS of_sales,
       (SELECT max(version) FROM refunds WHERE business_id = ?) AS of_refunds`,
		businessId,
		businessId,
	);
	// No facts give NULL, which becomes 0.
	return Math.max(Number(row?.of_sales), Number(row?.of_refunds));
}

/** Brings the sums up to date before a report reads them. It rarely finds anything to do. */
export async function settleTallies(
	store: Store,
	businessId: string,
	today: string,
): Promise<void> {
	try {
		await foldTallies(store, businessId, today);
	} catch (error) {
		// A full disk does not prevent reading: a long tail makes the report slower and not wrong.
		if (!isStorageError(error)) throw error;
	}
}

/** Folds a long tail, and moves the window of days to `today`. */
export async function foldTallies(
	store: Store,
	businessId: string,
	today: string,
): Promise<void> {
	const isSettled = await store.read(async (tx) => {
		const tallies = await readTallies(tx, businessId);
		const newest = await newestFact(tx, businessId);
		const tail = newest - (tallies?.version ?? 0);
		return (
			tail <= tailMax && (tallies ? tallies.windowDay === today : newest === 0)
		);
	});
	if (isSettled) return;
	while (await store.write((tx) => fold(tx, businessId, today)));
}

/** @returns true if there is more to fold */
async function fold(
	tx: Connection,
	businessId: string,
	today: string,
): Promise<boolean> {
	await tx.run(
		"INSERT INTO tallies (business_id, version, sales, window_day) VALUES (?, 0, 0, ?) ON CONFLICT (business_id) DO NOTHING",
		businessId,
		today,
	);
	// Locks the row, so that two processes do not fold the same facts.
	const locked = await tx.get(
		"UPDATE tallies SET version = version WHERE business_id = ? RETURNING version, sales, window_day",
		businessId,
	);
	const { version, sales, windowDay } = toTallies(locked as DbRow);
	if (windowDay !== today)
		await moveWindow(tx, businessId, version, windowDay, today);
	const newest = await newestFact(tx, businessId);
	const upTo = Math.max(version, Math.min(newest, version + foldMax));
	const counted = await tx.get(
		"SELECT count(*) AS sales FROM sales WHERE business_id = ? AND version > ? AND version <= ?",
		businessId,
		version,
		upTo,
	);
	for (const kind of Object.keys(kinds) as TallyKind[])
		await tx.run(
			`INSERT INTO tally_days (business_id, kind, day, key, sales, revenue, cost, refunded)
       SELECT ?, '${kind}', day, key, sum(sales), sum(revenue), sum(cost), sum(refunded)
       FROM (${dayFacts(kind, folding)}) AS facts WHERE true GROUP BY day, key
       ON CONFLICT (business_id, kind, day, key) DO UPDATE SET
         sales = tally_days.sales + excluded.sales, revenue = tally_days.revenue + excluded.revenue,
         cost = tally_days.cost + excluded.cost, refunded = tally_days.refunded + excluded.refunded`,
			businessId,
			...times(3, businessId, version, upTo),
		);
	await addToProducts(tx, businessId, 1, and(folding, amongDays), [
		version,
		upTo,
		addDays(today, -windowDays),
		today,
	]);
	await tx.run(
		"UPDATE tallies SET version = ?, sales = ?, window_day = ? WHERE business_id = ?",
		upTo,
		sales + Number(counted?.sales),
		today,
		businessId,
	);
	return upTo < newest;
}

/** Removes the days that leave the window from the products' sums, and adds the days that enter it. */
async function moveWindow(
	tx: Connection,
	businessId: string,
	version: number,
	from: string,
	to: string,
): Promise<void> {
	const beforeFrom = addDays(from, -windowDays);
	const beforeTo = addDays(to, -windowDays);
	const earlier = (a: string, b: string) => (a < b ? a : b);
	const later = (a: string, b: string) => (a > b ? a : b);
	const [leaving, entering] =
		from < to
			? [
					[beforeFrom, earlier(from, beforeTo)],
					[later(from, beforeTo), to],
				]
			: [
					[later(to, beforeFrom), from],
					[beforeTo, earlier(to, beforeFrom)],
				];
	for (const [sign, days] of [
		[-1, leaving],
		[1, entering],
	] as const)
		await addToProducts(tx, businessId, sign, and(folded, inDays), [
			version,
			...days,
		]);
}

async function addToProducts(
	tx: Connection,
	businessId: string,
	sign: 1 | -1,
	where: Where,
	params: Value[],
): Promise<void> {
	await tx.run(
		`INSERT INTO tally_products (business_id, product_id, quantity, revenue, profit)
     SELECT ?, product_id, ${sign} * sum(quantity), ${sign} * sum(revenue), ${sign} * sum(profit)
     FROM (${productFacts(where)}) AS facts WHERE true GROUP BY product_id
     ON CONFLICT (business_id, product_id) DO UPDATE SET
       quantity = tally_products.quantity + excluded.quantity,
       revenue = tally_products.revenue + excluded.revenue,
       profit = tally_products.profit + excluded.profit`,
		businessId,
		...times(2, businessId, ...params),
	);
}

/** Counts all sales, including voided ones. */
export async function countSales(
	tx: Connection,
	businessId: string,
): Promise<number> {
	const tallies = await readTallies(tx, businessId);
	const row = await tx.get(
		`SELECT (SELECT count(*) FROM sales WHERE business_id = ? AND ${newer("sales")})
       + (SELECT count(*) FROM sales WHERE business_id = ? AND ${unsent("sales")}) AS sales`,
		businessId,
		tallies?.version ?? 0,
		businessId,
	);
	return (tallies?.sales ?? 0) + Number(row?.sales);
}

/** Sums of one day, or of one key of a day. Amounts are in millionths. */
export interface DaySums {
	day: string;
	key: string;
	sales: number;
	revenue: number;
	cost: number;
	refunded: number;
}

/**
 * Reads the sums of the days after `after` up to `upTo`, by day and key. Days without facts are left out, and keys that
 * only the tail has come last.
 */
export async function readDaySums(
	tx: Connection,
	businessId: string,
	kind: TallyKind,
	after: string,
	upTo: string,
): Promise<DaySums[]> {
	const version = (await readTallies(tx, businessId))?.version ?? 0;
	const folded = await tx.all(
		`SELECT day, key, sales, revenue, cost, refunded FROM tally_days
     WHERE business_id = ? AND kind = '${kind}' AND day > ? AND day <= ? ORDER BY day, key`,
		businessId,
		after,
		upTo,
	);
	const tail = await tx.all(
		`SELECT day, key, sum(sales) AS sales, sum(revenue) AS revenue, sum(cost) AS cost, sum(refunded) AS refunded
     FROM (${dayFacts(kind, newer)} UNION ALL ${dayFacts(kind, unsent)}) AS tail
     WHERE day || '' > ? AND day || '' <= ? GROUP BY day, key`,
		...times(3, businessId, version),
		...times(3, businessId),
		after,
		upTo,
	);
	// Most days are folded: only those of the tail are searched.
	const sums = folded as unknown as DaySums[];
	for (const more of tail as unknown as DaySums[]) {
		const known = sums.findLast(
			({ day, key }) => day === more.day && key === more.key,
		);
		if (!known) sums.push(more);
		else
			for (const field of ["sales", "revenue", "cost", "refunded"] as const)
				known[field] += more[field];
	}
	return sums;
}

/** A product's sums in the window of days. Amounts and quantity are in millionths. */
export interface ProductSums {
	productId: string;
	quantity: number;
	revenue: number;
	profit: number;
}

/** Reads the products with the highest sums in the window, the best first. */
export async function readTopProducts(
	tx: Connection,
	businessId: string,
	today: string,
	by: "revenue" | "profit",
	limit: number,
): Promise<ProductSums[]> {
	const tallies = await readTallies(tx, businessId);
	const lastDay = tallies?.windowDay ?? today;
	const days = [addDays(lastDay, -windowDays), lastDay];
	// The result is among the best folded products, one more for each product in the tail, and the tail's own.
	const rows = await tx.all(
		`WITH tail AS (
       SELECT product_id, sum(quantity) AS quantity, sum(revenue) AS revenue, sum(profit) AS profit
       FROM (
         ${productFacts(and(newer, amongDays))}
         UNION ALL
         ${productFacts(and(unsent, amongDays))}
       ) AS facts GROUP BY product_id
     ), best AS (
       SELECT product_id FROM tally_products WHERE business_id = ?
       ORDER BY ${by} DESC, product_id LIMIT ? + (SELECT count(*) FROM tail)
     )
     SELECT product_id, sum(quantity) AS quantity, sum(revenue) AS revenue, sum(profit) AS profit FROM (
       SELECT product_id, quantity, revenue, profit FROM tally_products
       WHERE business_id = ? AND product_id IN (SELECT product_id FROM best UNION SELECT product_id FROM tail)
       UNION ALL
       SELECT product_id, quantity, revenue, profit FROM tail
     ) AS sums GROUP BY product_id HAVING sum(${by}) > 0 ORDER BY sum(${by}) DESC, product_id LIMIT ?`,
		...times(2, businessId, tallies?.version ?? 0, ...days),
		...times(2, businessId, ...days),
		businessId,
		limit,
		businessId,
		limit,
	);
	return rows.map((row) => ({
		productId: row.product_id as string,
		quantity: Number(row.quantity),
		revenue: Number(row.revenue),
		profit: Number(row.profit),
	}));
}

/** Deletes all sums, because a till's versions lose their meaning when the server's history changes. */
export async function forgetTallies(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (const table of ["tallies", "tally_days", "tally_products"])
		await tx.run(`DELETE FROM ${table} WHERE business_id = ?`, businessId);
}
