import type * as z from "zod";
import {
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { localTimes } from "../../../sync/protocol/clock.ts";
import { businessGet } from "../../../sync/queries/business.ts";
import { type ArgsOf, pagesOf } from "../../../sync/queries/list-pages.ts";
import { productList } from "../../../sync/queries/product.ts";
import type { List } from "../../../sync/queries/query.ts";
import { saleHistory, saleLines } from "../../../sync/queries/sale-history.ts";
import { stockMovementList } from "../../../sync/queries/stock.ts";
import type { Shop } from "../../../sync/shop.ts";

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

/** Whose rows, and how they are asked for. */
interface Asking {
	shop: Pick<Shop, "ask">;
	businessId: string;
}

/** A table as it is given out. */
export interface ExportTable {
	/** What it holds. */
	description: string;
	columns: string[];
	/** True where rows belong to days, and a range of them can be asked for. */
	hasDays: boolean;
	read(asking: Asking, days: Days): Pages;
}

/** All that can be given out as a table, by name. */
export const exportTables = {
	products: {
		description:
			"All products, also those that are no longer sold; import products reads the file back",
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
		description: "Sales, a row each, the newest first",
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
		description: "What was sold, a row a line of a sale, the newest first",
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
		description: "What is on the shelf now, and what it cost",
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
		description: "All that moved stock: sales, deliveries, counts",
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

/** All that a list has, in pages of few rows. */
function rowsOf<Shape extends z.ZodRawShape, Row extends z.ZodType>(
	{ shop, businessId }: Asking,
	list: List<Shape, Row>,
	args: ArgsOf<Shape>,
) {
	return pagesOf(shop, { businessId, role: "OWNER" }, list, args, { pageRows });
}

/** Products in order of their name, the ones that are no longer sold among them. */
async function* readProducts(asking: Asking): Pages {
	for await (const page of rowsOf(asking, productList, { show: "all" }))
		yield page.map(({ category, ...row }) => ({
			...row,
			category: category?.name ?? null,
		}));
}

/** What is on the shelf now, and what it cost. */
async function* readStock(asking: Asking): Pages {
	for await (const page of rowsOf(asking, productList, { show: "active" }))
		yield page
			.filter(({ isService }) => !isService)
			.map((row) => ({
				...row,
				category: row.category?.name ?? null,
				isLow: row.quantity <= row.lowStock,
				stockValue: worthOf(row),
				productId: row.id,
			}));
}

/** Null where no price is known. Below nothing, a shelf's value is below nothing, too. */
function worthOf({ quantity, buyingPrice }: Product): number | null {
	if (buyingPrice === null) return null;
	const value = sumOfProducts([
		{ price: toMicros(buyingPrice), quantity: toMicros(Math.abs(quantity)) },
	]);
	return toDecimal(quantity < 0 ? -value : value);
}

/** Sales, the newest first. */
async function* readSales(asking: Asking, days: Days): Pages {
	const localTime = await clockOf(asking);
	for await (const page of rowsOf(asking, saleHistory, days))
		yield page.map(({ items, refundedTotal, ...sale }) => ({
			...sale,
			localTime: localTime(sale.createdAt),
			lines: items.length,
			refunded: refundedTotal,
		}));
}

async function* readItems(asking: Asking, days: Days): Pages {
	const localTime = await clockOf(asking);
	for await (const page of rowsOf(asking, saleLines, days))
		yield page.flatMap(({ items, ...sale }) =>
			items.map((item) => ({
				...item,
				receiptNumber: sale.receiptNumber,
				businessDay: sale.businessDay,
				localTime: localTime(sale.createdAt),
				itemId: item.id,
				lineTotal: item.total,
				paymentMethod: sale.paymentMethod,
				saleStatus: sale.status,
			})),
		);
}

/** The ledger in the order in which it was written: a till that was offline adds to an earlier day. */
async function* readMovements(asking: Asking, days: Days): Pages {
	const localTime = await clockOf(asking);
	for await (const page of rowsOf(asking, stockMovementList, days))
		yield page.map((row) => ({ ...row, localTime: localTime(row.createdAt) }));
}

/** Tells moments on the shop's own clock. */
async function clockOf({ shop, businessId }: Asking) {
	const asker = { businessId, role: "OWNER" } as const;
	const { timeZone } = await shop.ask(asker, businessGet, {});
	return localTimes(timeZone);
}
