import { addDays, businessDay, localTimes } from "../../sync/clock.ts";
import { business } from "../../sync/entities/business.ts";
import { sumOfProducts, toDecimal, toMicros } from "../../sync/money.ts";
import { readRow } from "../../sync/rows.ts";
import type { DbRow, Store, Value } from "../../sync/store/store.ts";
import { type ListedSale, readPage, readSkus } from "../history/sales.ts";

/** Rows that are held at once: few enough to be forgotten before they count as long-lived, which costs 100 MB. */
const pageRows = 100;

/** One row of an exported table. Money and quantities are decimals. */
export type ExportRow = Record<string, string | number | boolean | null>;

/** Days of the business, both inclusive. */
export interface Days {
	from?: string | undefined;
	to?: string | undefined;
}

/** Rows of a business, a page after another: a database of any size is read with the memory of one page. */
export type Pages = AsyncGenerator<ExportRow[]>;

/** A table as it is given out. */
export interface ExportTable {
	columns: string[];
	/** True where rows belong to days, and a range of them can be asked for. */
	hasDays: boolean;
	read(store: Store, businessId: string, days: Days): Pages;
}

/** All that can be given out as a table, by name. */
export const exportTables = {
	products: {
		columns: [
			"name",
			"sku",
			"buyingPrice",
			"sellingPrice",
			"quantity",
			"lowStock",
			"isService",
			"isActive",
			"category",
			"imageUrl",
			"id",
			"createdAt",
			"updatedAt",
		],
		hasDays: false,
		read: readProducts,
	},
	sales: {
		columns: [
			"id",
			"receiptNumber",
			"businessDay",
			"localTime",
			"lines",
			"total",
			"cost",
			"profit",
			"paid",
			"change",
			"paymentMethod",
			"refunded",
			"status",
			"notes",
			"userId",
			"deviceId",
			"createdAt",
		],
		hasDays: true,
		read: readSales,
	},
	items: {
		columns: [
			"saleId",
			"receiptNumber",
			"businessDay",
			"localTime",
			"itemId",
			"name",
			"sku",
			"productId",
			"quantity",
			"price",
			"lineTotal",
			"cost",
			"paymentMethod",
			"saleStatus",
		],
		hasDays: true,
		read: readItems,
	},
	stock: {
		columns: [
			"name",
			"sku",
			"category",
			"quantity",
			"lowStock",
			"isLow",
			"buyingPrice",
			"stockValue",
			"productId",
		],
		hasDays: false,
		read: readStock,
	},
	movements: {
		columns: [
			"id",
			"businessDay",
			"localTime",
			"name",
			"sku",
			"delta",
			"reason",
			"note",
			"productId",
			"saleId",
			"itemId",
			"userId",
			"createdAt",
		],
		hasDays: true,
		read: readMovements,
	},
} satisfies Record<string, ExportTable>;
export type ExportName = keyof typeof exportTables;

/** Products in order of their name, the ones that are no longer sold among them. */
async function* productRows(
	store: Store,
	businessId: string,
): AsyncGenerator<DbRow[]> {
	let last: DbRow = { search_name: "", id: "" };
	for (;;) {
		const { search_name, id } = last;
		const rows = await store.read((tx) =>
			tx.all(
				`SELECT products.*, categories.name AS category
				 FROM products LEFT JOIN categories ON categories.business_id = products.business_id
					 AND categories.id = products.category_id AND categories.deleted = 0
				 WHERE products.business_id = ? AND products.deleted = 0 AND (products.search_name, products.id) > (?, ?)
				 ORDER BY products.search_name, products.id LIMIT ${pageRows}`,
				businessId,
				search_name as Value,
				id as Value,
			),
		);
		if (rows.length > 0) yield rows;
		if (rows.length < pageRows) return;
		last = rows.at(-1) as DbRow;
	}
}

async function* readProducts(store: Store, businessId: string): Pages {
	for await (const rows of productRows(store, businessId))
		yield rows.map((row) => ({
			name: row.name as string,
			sku: row.sku ?? null,
			buyingPrice: decimalOf(row.buying_price),
			sellingPrice: decimalOf(row.selling_price),
			quantity: decimalOf(row.quantity),
			lowStock: decimalOf(row.low_stock),
			isService: row.is_service === 1,
			isActive: row.is_active === 1,
			category: row.category ?? null,
			imageUrl: row.image_url ?? null,
			id: row.id as string,
			createdAt: row.created_at as string,
			updatedAt: row.updated_at as string,
		}));
}

/** What is on the shelf now, and what it cost. */
async function* readStock(store: Store, businessId: string): Pages {
	for await (const rows of productRows(store, businessId))
		yield rows
			.filter(
				({ is_service, is_active }) => is_service === 0 && is_active === 1,
			)
			.map((row) => ({
				name: row.name as string,
				sku: row.sku ?? null,
				category: row.category ?? null,
				quantity: decimalOf(row.quantity),
				lowStock: decimalOf(row.low_stock),
				isLow: Number(row.quantity) <= Number(row.low_stock),
				buyingPrice: decimalOf(row.buying_price),
				stockValue: worthOf(Number(row.quantity), row.buying_price),
				productId: row.id as string,
			}));
}

/** Null where no price is known. Below nothing, a shelf's value is below nothing, too. */
function worthOf(quantity: number, price: Value | undefined): number | null {
	if (typeof price !== "number") return null;
	const value = sumOfProducts([{ price, quantity: Math.abs(quantity) }]);
	return toDecimal(quantity < 0 ? -value : value);
}

/** Sales, the newest first, with the moment on the shop's own clock. */
async function* salePages(
	store: Store,
	businessId: string,
	days: Days,
): AsyncGenerator<{ sale: ListedSale; localTime: string }[]> {
	const { timeZone } = await readShop(store, businessId);
	const localTime = localTimes(timeZone);
	for (let cursor: string | null | undefined; cursor !== null; ) {
		const page = await readPage(store, businessId, days, cursor, pageRows);
		if (page.sales.length > 0)
			yield page.sales.map((sale) => ({
				sale,
				localTime: localTime(sale.createdAt),
			}));
		cursor = page.nextCursor;
	}
}

async function* readSales(store: Store, businessId: string, days: Days): Pages {
	for await (const sales of salePages(store, businessId, days))
		yield sales.map(({ sale, localTime }) => ({
			id: sale.id,
			receiptNumber: sale.receiptNumber,
			businessDay: sale.businessDay,
			localTime,
			lines: sale.items.length,
			total: sale.total,
			cost: sale.cost,
			profit: sale.profit,
			paid: sale.paid,
			change: sale.change,
			paymentMethod: sale.paymentMethod,
			refunded: sale.refundedTotal,
			status: sale.status,
			notes: sale.notes,
			userId: sale.userId,
			deviceId: sale.deviceId,
			createdAt: sale.createdAt,
		}));
}

async function* readItems(store: Store, businessId: string, days: Days): Pages {
	for await (const sales of salePages(store, businessId, days)) {
		const skus = await store.read((tx) =>
			readSkus(
				tx,
				businessId,
				sales.flatMap(({ sale }) => sale.items.map((item) => item.productId)),
			),
		);
		yield sales.flatMap(({ sale, localTime }) =>
			sale.items.map((item) => ({
				saleId: sale.id,
				receiptNumber: sale.receiptNumber,
				businessDay: sale.businessDay,
				localTime,
				itemId: item.id,
				name: item.name,
				sku: skus.get(item.productId ?? "") ?? null,
				productId: item.productId,
				quantity: item.quantity,
				price: item.price,
				lineTotal: toDecimal(
					sumOfProducts([
						{
							price: toMicros(item.price),
							quantity: toMicros(item.quantity),
						},
					]),
				),
				cost: item.cost,
				paymentMethod: sale.paymentMethod,
				saleStatus: sale.status,
			})),
		);
	}
}

/**
 * The ledger in the order in which it was written: a till that was offline adds to an earlier day. What a sale or refund
 * moved is of its day, whatever the shop's clock is now; it was written with it, and has its version.
 */
async function* readMovements(
	store: Store,
	businessId: string,
	{ from, to }: Days,
): Pages {
	const { timeZone, cutOffHour } = await readShop(store, businessId);
	const localTime = localTimes(timeZone);
	// A day and its moments are never further apart than zones and a bar's night.
	const earliest = from ? `${addDays(from, -2)}T00:00:00.000Z` : "";
	const latest = to && addDays(to, 3) > to ? addDays(to, 3) : "9999-12-31T24";
	// What a till has not sent yet has version 0.
	let last: DbRow = { version: -1, id: "" };
	for (;;) {
		const { version, id } = last;
		const rows = await store.read((tx) =>
			tx.all(
				`SELECT moved.*, products.name, products.sku,
					 CASE moved.reason
						 WHEN 'sale' THEN (SELECT business_day FROM sales WHERE sales.business_id = moved.business_id AND sales.id = moved.sale_id)
						 ELSE (SELECT max(business_day) FROM refunds WHERE refunds.business_id = moved.business_id
							 AND refunds.sale_id = moved.sale_id AND refunds.version = moved.version AND refunds.created_at = moved.created_at)
					 END AS day
				 FROM (
					 SELECT * FROM stock_movements WHERE business_id = ? AND deleted = 0 AND (version, id) > (?, ?)
						 AND created_at >= ? AND created_at <= ? ORDER BY version, id LIMIT ${pageRows}) AS moved
				 LEFT JOIN products ON products.business_id = moved.business_id AND products.id = moved.product_id
				 ORDER BY moved.version, moved.id`,
				businessId,
				version as Value,
				id as Value,
				earliest,
				latest,
			),
		);
		const moved = rows.flatMap((row) => {
			const createdAt = row.created_at as string;
			const day =
				(row.day as string | null) ??
				businessDay(createdAt, timeZone, cutOffHour);
			if ((from && day < from) || (to && day > to)) return [];
			return {
				id: row.id as string,
				businessDay: day,
				localTime: localTime(createdAt),
				name: row.name ?? null,
				sku: row.sku ?? null,
				delta: decimalOf(row.delta),
				reason: row.reason as string,
				note: row.note ?? null,
				productId: row.product_id as string,
				saleId: row.sale_id ?? null,
				itemId: row.item_id ?? null,
				userId: row.user_id ?? null,
				createdAt,
			};
		});
		if (moved.length > 0) yield moved;
		if (rows.length < pageRows) return;
		last = rows.at(-1) as DbRow;
	}
}

async function readShop(store: Store, businessId: string) {
	const found = await store.read((tx) =>
		readRow(tx, business, businessId, businessId),
	);
	if (!found) throw new Error(`There is no business ${businessId}`);
	return found.row;
}

function decimalOf(micros: Value | undefined): number | null {
	return typeof micros === "number" ? toDecimal(micros) : null;
}
