import { addDays, dayNumber, dayOf, toIso } from "../protocol/clock.ts";
import { isStorageError } from "../protocol/errors.ts";
import { nameNumber, shopNumber } from "../rows/names.ts";
import type { Connection, DbRow, Store } from "../store/store.ts";
import {
	type DayRange,
	hasProduct,
	inDays,
	lineFacts,
	term,
	type Where,
} from "./facts.ts";
import { all, raw, run, type Sql, sql } from "./sql.ts";
import { tenderFacts } from "./tender-facts.ts";

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
/** Facts folded in one transaction, which is as long as a concurrent sale may have to wait. */
const foldMax = 250;

/** The keys of each kind of sum, as integer SQL on a sale and on a refund or void of one. */
const kinds = {
	day: { code: "d", ofSale: raw("0"), ofRefund: raw("0") },
	/** Quarter hours since 1970 in UTC: the hours of every time zone start with one. */
	slot: {
		code: "s",
		ofSale: raw("sales.made_ms / 900000"),
		ofRefund: raw("unixepoch(refunds.created_at) / 900"),
	},
	/** The number of the name of the sale's payment method. */
	method: {
		code: "m",
		ofSale: raw("sales.method"),
		ofRefund: raw("sales.method"),
	},
};
/** A tender's key is its name; the number of the name where it is folded. */
export type TallyKind = keyof typeof kinds | "tender";
/** The kind as it is stored. */
const codeOf = (kind: TallyKind) =>
	raw(`'${kind === "tender" ? "t" : kinds[kind].code}'`);
const quarterMs = 900_000;

/** The contribution of each fact to the sums by day. */
function dayFacts(businessId: string, kind: TallyKind, where: Where): Sql {
	if (kind === "tender") return tenderFacts(businessId, where);
	const { ofSale, ofRefund } = kinds[kind];
	const refunds = sql`FROM refunds JOIN sales ON sales.business_id = refunds.business_id AND sales.id = refunds.sale_id
      WHERE refunds.business_id = ${businessId} AND ${where("refunds")}`;
	return sql`SELECT sales.day_number AS day, ${ofSale} AS key, 1 AS sales, ${term("sales.total")} AS revenue, ${term("sales.cost")} AS cost, 0 AS refunded
      FROM sales WHERE sales.business_id = ${businessId} AND ${where("sales")}
    UNION ALL
    SELECT unixepoch(refunds.business_day) / 86400, ${ofRefund}, 0, ${term("-refunds.total")}, ${term("-refunds.restock * refunds.cost")}, ${term("refunds.total")}
      ${refunds}
    UNION ALL
    SELECT sales.day_number, ${ofSale}, -1, 0, 0, 0
      ${refunds} AND refunds.kind = 'void'`;
}

/** The contribution of each line to its product's sums. */
function productFacts(businessId: string, where: Where): Sql {
	return lineFacts(
		businessId,
		(table) => sql`${hasProduct} AND ${where(table)}`,
		({ quantity, revenue, cost }) =>
			sql`sale_items.product_id, ${term(quantity)} AS quantity, ${term(revenue)} AS revenue, ${term(`${revenue} - ${cost}`)} AS profit`,
	);
}

const between =
	(version: number, upTo: number): Where =>
	(table) =>
		sql`${raw(table)}.version > ${version} AND ${raw(table)}.version <= ${upTo}`;
/** The two parts of the tail, queried apart because no index covers both. */
const newer =
	(version: number): Where =>
	(table) =>
		sql`${raw(table)}.version > ${version}`;
const unsent: Where = (table) => sql`${raw(table)}.version < 1`;
/** Combined with a range of versions, whose index should be used: an expression uses none. */
const amongDays =
	({ after, upTo }: DayRange): Where =>
	(table) =>
		table === "sales"
			? sql`sales.day_number + 0 > ${dayNumber(after)} AND sales.day_number + 0 <= ${dayNumber(upTo)}`
			: sql`refunds.business_day || '' > ${after} AND refunds.business_day || '' <= ${upTo}`;
const folded =
	(version: number): Where =>
	(table) =>
		sql`${raw(table)}.version + 0 >= 1 AND ${raw(table)}.version + 0 <= ${version}`;
const and =
	(one: Where, other: Where): Where =>
	(table) =>
		sql`${one(table)} AND ${other(table)}`;

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
	const next = await nextFacts(tx, businessId, version);
	const upTo = Math.max(version, next.upTo);
	const counted = await tx.get(
		"SELECT count(*) AS sales FROM sales WHERE business_id = ? AND version > ? AND version <= ?",
		businessId,
		version,
		upTo,
	);
	const folding = between(version, upTo);
	const shop = await shopNumber(tx, businessId);
	for (const kind of Object.keys(kinds) as TallyKind[])
		await addToDays(
			tx,
			sql`SELECT ${shop}, ${codeOf(kind)}, day, key, ${sums}
       FROM (${dayFacts(businessId, kind, folding)}) AS facts WHERE true GROUP BY day, key`,
		);
	// A tender beside its sale may be the first of its name.
	for (const { key, day, ...by } of await all(
		tx,
		sql`SELECT day, key, ${sums} FROM (${tenderFacts(businessId, folding)}) AS facts GROUP BY day, key`,
	)) {
		const name = await nameNumber(tx, shop, key as string);
		await addToDays(
			tx,
			sql`SELECT ${shop}, ${codeOf("tender")}, ${day ?? 0}, ${name}, ${by.sales ?? 0}, ${by.revenue ?? 0}, 0, ${by.refunded ?? 0} WHERE true`,
		);
	}
	const days = { after: addDays(today, -windowDays), upTo: today };
	await addToProducts(tx, businessId, 1, and(folding, amongDays(days)));
	await tx.run(
		"UPDATE tallies SET version = ?, sales = ?, window_day = ? WHERE business_id = ?",
		upTo,
		sales + Number(counted?.sales),
		today,
		businessId,
	);
	return next.count === foldMax;
}

/** Finds the next facts after a version: a till with a window has few of its oldest versions. */
async function nextFacts(
	tx: Connection,
	businessId: string,
	version: number,
): Promise<{ upTo: number; count: number }> {
	const of = (table: "sales" | "refunds") =>
		sql`SELECT version FROM (SELECT version FROM ${raw(table)} WHERE business_id = ${businessId} AND ${newer(version)(table)}
       ORDER BY version LIMIT ${foldMax}) AS ${raw(`of_${table}`)}`;
	const [row] = await all(
		tx,
		sql`SELECT max(version) AS newest, count(*) AS facts
     FROM (${of("sales")} UNION ALL ${of("refunds")} ORDER BY version LIMIT ${foldMax}) AS facts`,
	);
	return { upTo: Number(row?.newest), count: Number(row?.facts) };
}

const sums = raw(
	"sum(sales) AS sales, sum(revenue) AS revenue, sum(cost) AS cost, sum(refunded) AS refunded",
);

async function addToDays(tx: Connection, rows: Sql): Promise<void> {
	await run(
		tx,
		sql`INSERT INTO tally_days (shop, kind, day, key, sales, revenue, cost, refunded) ${rows}
     ON CONFLICT (shop, kind, day, key) DO UPDATE SET
       sales = tally_days.sales + excluded.sales, revenue = tally_days.revenue + excluded.revenue,
       cost = tally_days.cost + excluded.cost, refunded = tally_days.refunded + excluded.refunded`,
	);
}

/**
 * The days by which the window of products' sums changes when it moves from one last day to another, forwards or back.
 *
 * @returns the days that leave it, and those that enter it
 */
export function windowChange(
	from: string,
	to: string,
): { leaving: DayRange; entering: DayRange } {
	const beforeFrom = addDays(from, -windowDays);
	const beforeTo = addDays(to, -windowDays);
	const earlier = (a: string, b: string) => (a < b ? a : b);
	const later = (a: string, b: string) => (a > b ? a : b);
	return from < to
		? {
				leaving: { after: beforeFrom, upTo: earlier(from, beforeTo) },
				entering: { after: later(from, beforeTo), upTo: to },
			}
		: {
				leaving: { after: later(to, beforeFrom), upTo: from },
				entering: { after: beforeTo, upTo: earlier(to, beforeFrom) },
			};
}

/** Removes the days that leave the window from the products' sums, and adds the days that enter it. */
async function moveWindow(
	tx: Connection,
	businessId: string,
	version: number,
	from: string,
	to: string,
): Promise<void> {
	const { leaving, entering } = windowChange(from, to);
	const facts = folded(version);
	await addToProducts(tx, businessId, -1, and(facts, inDays(leaving)));
	await addToProducts(tx, businessId, 1, and(facts, inDays(entering)));
}

async function addToProducts(
	tx: Connection,
	businessId: string,
	sign: 1 | -1,
	where: Where,
): Promise<void> {
	const sum = (column: string) => raw(`${sign} * sum(${column})`);
	await run(
		tx,
		sql`INSERT INTO tally_products (business_id, product_id, quantity, revenue, profit)
     SELECT ${businessId}, product_id, ${sum("quantity")}, ${sum("revenue")}, ${sum("profit")}
     FROM (${productFacts(businessId, where)}) AS facts WHERE true GROUP BY product_id
     ON CONFLICT (business_id, product_id) DO UPDATE SET
       quantity = tally_products.quantity + excluded.quantity,
       revenue = tally_products.revenue + excluded.revenue,
       profit = tally_products.profit + excluded.profit`,
	);
}

/** Counts all sales, including voided ones. */
export async function countSales(
	tx: Connection,
	businessId: string,
): Promise<number> {
	const tallies = await readTallies(tx, businessId);
	const [row] = await all(
		tx,
		sql`SELECT (SELECT count(*) FROM sales WHERE business_id = ${businessId} AND ${newer(tallies?.version ?? 0)("sales")})
       + (SELECT count(*) FROM sales WHERE business_id = ${businessId} AND ${unsent("sales")}) AS sales`,
	);
	return (tallies?.sales ?? 0) + Number(row?.sales);
}

/** Sums of one day, or of one key of a day. Amounts are in millionths. */
export interface DaySums {
	day: string;
	/** Of a slot its quarter hour in UTC, `2026-11-20T08:45`; of a method or tender its name. */
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
	const shop = sql`(SELECT n FROM shops WHERE business_id = ${businessId})`;
	const days = [dayNumber(after || "0000-01-01"), dayNumber(upTo)] as const;
	// A method is spelled here, so that they are in the order of their names.
	const name = sql`(SELECT text FROM names WHERE names.shop = ${shop} AND names.n = key)`;
	const columnsBy = (key: Sql) =>
		sql`day, ${key} AS key, sales, revenue, cost, refunded`;
	const own = raw("key");
	const folded = await all(
		tx,
		sql`SELECT ${columnsBy(kind === "method" || kind === "tender" ? name : own)} FROM tally_days
     WHERE shop = ${shop} AND kind = ${codeOf(kind)} AND day > ${days[0]} AND day <= ${days[1]} ORDER BY 1, 2`,
	);
	const tail = await all(
		tx,
		sql`SELECT ${columnsBy(kind === "method" ? name : own)} FROM (
       SELECT day, key, ${sums}
       FROM (${dayFacts(businessId, kind, newer(version))} UNION ALL ${dayFacts(businessId, kind, unsent)}) AS facts
       WHERE day + 0 > ${days[0]} AND day + 0 <= ${days[1]} GROUP BY day, key) AS tail`,
	);
	return addDaySums(toDaySums(kind, folded), toDaySums(kind, tail));
}

function toDaySums(kind: TallyKind, rows: readonly DbRow[]): DaySums[] {
	const keyOf = {
		day: () => "",
		slot: (key: unknown) => toIso(Number(key) * quarterMs).slice(0, 16),
		method: String,
		tender: String,
	}[kind];
	return rows.map(
		(row) =>
			({ ...row, day: dayOf(Number(row.day)), key: keyOf(row.key) }) as DaySums,
	);
}

/** Adds sums to the sums of the same day and key in a list, which it changes; new days and keys come last. */
export function addDaySums(
	sums: DaySums[],
	further: readonly DaySums[],
): DaySums[] {
	for (const more of further) {
		// The tail is of the last days: search from the end.
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
	const days = amongDays({
		after: addDays(lastDay, -windowDays),
		upTo: lastDay,
	});
	const version = tallies?.version ?? 0;
	const column = raw(by);
	// The result is among the best folded products, one more for each product in the tail, and the tail's own.
	const rows = await all(
		tx,
		sql`WITH tail AS (
       SELECT product_id, sum(quantity) AS quantity, sum(revenue) AS revenue, sum(profit) AS profit
       FROM (
         ${productFacts(businessId, and(newer(version), days))}
         UNION ALL
         ${productFacts(businessId, and(unsent, days))}
       ) AS facts GROUP BY product_id
     ), best AS (
       SELECT product_id FROM tally_products WHERE business_id = ${businessId}
       ORDER BY ${column} DESC, product_id LIMIT ${limit} + (SELECT count(*) FROM tail)
     )
     SELECT product_id, sum(quantity) AS quantity, sum(revenue) AS revenue, sum(profit) AS profit FROM (
       SELECT product_id, quantity, revenue, profit FROM tally_products
       WHERE business_id = ${businessId} AND product_id IN (SELECT product_id FROM best UNION SELECT product_id FROM tail)
       UNION ALL
       SELECT product_id, quantity, revenue, profit FROM tail
     ) AS sums GROUP BY product_id HAVING sum(${column}) > 0 ORDER BY sum(${column}) DESC, product_id LIMIT ${limit}`,
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
	for (const table of ["tallies", "tally_products"])
		await tx.run(`DELETE FROM ${table} WHERE business_id = ?`, businessId);
	await tx.run(
		"DELETE FROM tally_days WHERE shop = (SELECT n FROM shops WHERE business_id = ?)",
		businessId,
	);
}
