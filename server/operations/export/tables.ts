import type * as z from "zod";
import {
	plus,
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { addDays, localTimes } from "../../../sync/protocol/clock.ts";
import { businessGet, businessToday } from "../../../sync/queries/business.ts";
import { countDifference, countList } from "../../../sync/queries/count.ts";
import { customerList } from "../../../sync/queries/customer.ts";
import { deliveryList } from "../../../sync/queries/delivery.ts";
import { journalColumns, journalEntry } from "../../../sync/queries/journal.ts";
import { layawayList } from "../../../sync/queries/layaway.ts";
import { type ArgsOf, pagesOf } from "../../../sync/queries/list-pages.ts";
import { paymentList } from "../../../sync/queries/payment-list.ts";
import { daysOf, factDaysMax } from "../../../sync/queries/period.ts";
import { productList } from "../../../sync/queries/product.ts";
import type { List } from "../../../sync/queries/query.ts";
import { reportMoney } from "../../../sync/queries/report-money.ts";
import { reportTax } from "../../../sync/queries/report-tax.ts";
import { saleHistory, saleLines } from "../../../sync/queries/sale-history.ts";
import { shiftList } from "../../../sync/queries/shift.ts";
import { statementMatch } from "../../../sync/queries/statement-match.ts";
import { stockMovementList } from "../../../sync/queries/stock.ts";
import { supplierList } from "../../../sync/queries/supplier.ts";
import type { Shop } from "../../../sync/shop.ts";
import { moneyColumns, toMoneyRows } from "../../business/money-rows.ts";
import { countColumns, toCountRows } from "../../counts/count-rows.ts";
import {
	fileColumns,
	readFileDetails,
	toFileRow,
} from "../../products/file-rows.ts";
import { paidBy } from "../../sales/paid-by.ts";
import { dayColumns, dayRows } from "../../shifts/day-rows.ts";
import { matchColumns, toMatchRow } from "../../statements/match-rows.ts";

/** Rows in memory at once: few enough that V8 frees them young, which saves 100 MB. */
const pageRows = 100;

/** One row of an exported table. Money and quantities are decimals. */
export type ExportRow = Record<string, string | number | boolean | null>;

/** Business days, both inclusive. */
export interface Days {
	from?: string | undefined;
	to?: string | undefined;
}

/** A business's rows, page by page, so that memory stays constant at any size. */
export type Pages = AsyncGenerator<ExportRow[]>;

/** The business whose rows to read, and the shop to query. */
interface ExportSource {
	shop: Pick<Shop, "ask">;
	businessId: string;
}

/** A table that can be exported. */
export interface ExportTable {
	/** Shown in the command's help. */
	description: string;
	columns: string[];
	/** True if rows belong to business days and can be limited to a range. */
	hasDays: boolean;
	read(source: ExportSource, days: Days): Pages;
}

/** All exportable tables by name. */
export const exportTables = {
	products: {
		description:
			"Export all products, including deactivated ones; import products can read the file",
		columns: [...fileColumns, "createdAt", "updatedAt"],
		hasDays: false,
		read: readProducts,
	},
	packs: {
		description:
			"Export the packs of all products, such as cartons, with their size in the product's unit",
		columns: [
			...["product", "sku", "unit", "name", "size"],
			...["sellingPrice", "isActive", "productId", "id"],
		],
		hasDays: false,
		read: readPacks,
	},
	sales: {
		description: "Export sales, one row each, newest first",
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
			"rounding",
			"paymentMethod",
			"paidBy",
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
		description: "Export sold items, one row per line of a sale, newest first",
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
			"packName",
			"packSize",
			"unit",
			"units",
			"price",
			"listPrice",
			"lineTotal",
			"cost",
			"taxClass",
			"taxRate",
			"tax",
			"paymentMethod",
			"paidBy",
			"saleStatus",
		],
		hasDays: true,
		read: readItems,
	},
	stock: {
		description: "Export the current stock with its value at cost",
		columns: [
			"name",
			"sku",
			"category",
			"quantity",
			"unit",
			"lowStock",
			"isLow",
			"buyingPrice",
			"stockValue",
			"productId",
		],
		hasDays: false,
		read: readStock,
	},
	customers: {
		description:
			"Export all customers with what they owe; a negative balance is theirs",
		columns: [
			"name",
			"phone",
			"balance",
			"creditLimit",
			"note",
			"id",
			"createdAt",
			"updatedAt",
			"erasedAt",
		],
		hasDays: false,
		read: readCustomers,
	},
	payments: {
		description:
			"Export what moved by each method with each sale, refund, collection, correction and cash in or out; CREDIT is what customers owe more",
		columns: [
			"businessDay",
			"localTime",
			"kind",
			"method",
			"amount",
			"code",
			"receiptNumber",
			"customerName",
			"customerId",
			"category",
			"reason",
			"shiftId",
			"layawayId",
			"supplierId",
			"factId",
			"id",
			"userId",
			"deviceId",
			"createdAt",
		],
		hasDays: true,
		read: readPayments,
	},
	suppliers: {
		description:
			"Export all suppliers with what the shop owes them; a negative balance is the shop's",
		columns: [
			"name",
			"phone",
			"balance",
			"note",
			"id",
			"createdAt",
			"updatedAt",
		],
		hasDays: false,
		read: readSuppliers,
	},
	deliveries: {
		description:
			"Export goods that suppliers brought or got back, one row per line, newest first",
		columns: [
			...["deliveryId", "businessDay", "localTime", "isReturn", "number"],
			...["supplierName", "supplierId", "name", "productId", "quantity"],
			...["packName", "packSize", "cost", "lineTotal", "total", "paid"],
			...["userId", "deviceId", "createdAt"],
		],
		hasDays: true,
		read: readDeliveries,
	},
	layaways: {
		description:
			"Export goods kept for customers, one row per line, what is due first",
		columns: [
			"id",
			"businessDay",
			"dueDay",
			"state",
			"customerName",
			"customerId",
			"name",
			"quantity",
			...["packName", "packSize", "unit"],
			"price",
			"productId",
			"total",
			"deposited",
			"saleId",
			"createdAt",
			"endedAt",
		],
		hasDays: false,
		read: readLayaways,
	},
	statement: {
		description:
			"Export the payment codes of statements, sales and collections, and whether they match",
		columns: matchColumns,
		hasDays: true,
		read: readMatches,
	},
	movements: {
		description:
			"Export all stock movements, such as sales, deliveries and counts",
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
			"cost",
			"deliveryId",
			"userId",
			"createdAt",
		],
		hasDays: true,
		read: readMovements,
	},
	shifts: {
		description: "Export shifts with what their counts found, newest first",
		columns: [
			"id",
			"drawerId",
			"businessDay",
			"openedLocal",
			"openedBy",
			"closedLocal",
			"closedBy",
			"openingFloat",
			"method",
			"expected",
			"counted",
			"difference",
		],
		hasDays: false,
		read: readShifts,
	},
	counts: {
		description:
			"Export counts of stock, one row per product: what was found, and what the book said when its shelf was looked at",
		columns: countColumns,
		hasDays: false,
		read: readCounts,
	},
	"shift-days": {
		description:
			"Export days' reports over their shifts, one row per method: of all tills, and of each where there are several",
		columns: dayColumns,
		hasDays: true,
		read: readShiftDays,
	},
	revenue: {
		description:
			"Export revenue with and without tax, what was taken and owed, refunds and discounts: for each day in all, and by tender, cashier and shift",
		columns: ["day", ...moneyColumns],
		hasDays: true,
		read: readRevenue,
	},
	accounting: {
		description:
			"Export a journal in double entry: one entry for each business day, whose debits equal its credits",
		columns: journalColumns,
		hasDays: true,
		read: readJournal,
	},
	tax: {
		description:
			"Export net, tax and gross by month, tax class and rate, with refunds apart",
		columns: [
			...["from", "to", "taxClass", "name", "taxRate"],
			...["soldNet", "soldTax", "soldGross"],
			...["refundedNet", "refundedTax", "refundedGross"],
		],
		hasDays: true,
		read: readTaxes,
	},
} satisfies Record<string, ExportTable>;

/** Reads all rows of a list query in small pages. */
function rowsOf<Shape extends z.ZodRawShape, Row extends z.ZodType>(
	{ shop, businessId }: ExportSource,
	list: List<Shape, Row>,
	args: ArgsOf<Shape>,
) {
	return pagesOf(shop, { businessId, role: "OWNER" }, list, args, { pageRows });
}

/** Products by name, including deactivated ones. */
async function* readProducts(source: ExportSource): Pages {
	const { shop, businessId } = source;
	const details = await readFileDetails(shop, { businessId, role: "OWNER" });
	for await (const page of rowsOf(source, productList, { show: "all" }))
		yield page.map((row) => toFileRow(row, details));
}

async function* readPacks(source: ExportSource): Pages {
	for await (const page of rowsOf(source, productList, { show: "all" }))
		yield page.flatMap(({ id: productId, name: product, packs = [], ...row }) =>
			packs.map((pack) => ({
				...{ product, productId, ...pack },
				...{ sku: row.sku, unit: row.unit ?? null },
			})),
		);
}

/** The current stock with its value at cost. */
async function* readStock(source: ExportSource): Pages {
	for await (const page of rowsOf(source, productList, { show: "active" }))
		yield page
			.filter(({ isService }) => !isService)
			.map(({ packs: _, ...row }) => ({
				...row,
				category: row.category?.name ?? null,
				isLow: row.quantity <= row.lowStock,
				stockValue: worthOf(row),
				productId: row.id,
			}));
}

/** The stock's value at buying price: null without a price, negative for negative stock. */
function worthOf({ quantity, buyingPrice }: Product): number | null {
	if (buyingPrice === null) return null;
	const value = sumOfProducts([
		{ price: toMicros(buyingPrice), quantity: toMicros(Math.abs(quantity)) },
	]);
	return toDecimal(quantity < 0 ? -value : value);
}

/** Sales, newest first. */
async function* readSales(source: ExportSource, days: Days): Pages {
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, saleHistory, days))
		yield page.map(({ items, refundedTotal, tenders, ...sale }) => ({
			...sale,
			paidBy: paidBy({ ...sale, tenders }),
			localTime: localTime(sale.createdAt),
			lines: items.length,
			refunded: refundedTotal,
			rounding: sale.rounding ?? null,
		}));
}

async function* readItems(source: ExportSource, days: Days): Pages {
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, saleLines, days))
		yield page.flatMap(({ items, ...sale }) =>
			items.map((item) => ({
				...item,
				receiptNumber: sale.receiptNumber,
				businessDay: sale.businessDay,
				localTime: localTime(sale.createdAt),
				itemId: item.id,
				packName: item.packName ?? null,
				packSize: item.packSize ?? null,
				unit: item.unit ?? null,
				units: plus(0, (item.packSize ?? 1) * item.quantity),
				listPrice: item.listPrice ?? null,
				taxClass: item.taxClass ?? null,
				taxRate: item.taxRate ?? null,
				tax: item.tax ?? null,
				lineTotal: item.total,
				paymentMethod: sale.paymentMethod,
				paidBy: paidBy(sale),
				saleStatus: sale.status,
			})),
		);
}

/** Stock movements in the order the server recorded them, in which an offline till's movements can precede by day. */
async function* readMovements(source: ExportSource, days: Days): Pages {
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, stockMovementList, days))
		yield page.map(({ cost = null, deliveryId = null, ...row }) => ({
			...{ ...row, cost, deliveryId },
			localTime: localTime(row.createdAt),
		}));
}

/** Customers by name; of those that were merged, the one that remains. */
async function* readCustomers(source: ExportSource): Pages {
	for await (const page of rowsOf(source, customerList, {}))
		yield page.map(({ mergedInto: _, erasedAt = null, ...row }) => ({
			...row,
			erasedAt,
		}));
}

async function* readSuppliers(source: ExportSource): Pages {
	for await (const page of rowsOf(source, supplierList, {})) yield page;
}

/** Deliveries and returns, newest first, with a row for each line. */
async function* readDeliveries(source: ExportSource, days: Days): Pages {
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, deliveryList, days))
		yield page.flatMap(({ items, id: deliveryId, supplierId, ...made }) =>
			items.map(({ packName, packSize, packId: _, id: __, ...line }) => ({
				...{ ...made, ...line, deliveryId },
				supplierId: supplierId ?? null,
				packName: packName ?? null,
				packSize: packSize ?? null,
				localTime: localTime(made.createdAt),
				lineTotal: totalOf(line),
			})),
		);
}

const totalOf = ({ cost, quantity }: { cost: number; quantity: number }) =>
	toDecimal(
		sumOfProducts([{ price: toMicros(cost), quantity: toMicros(quantity) }]),
	);

/** Layaways, also those that have ended, with a row for each line. */
async function* readLayaways(source: ExportSource): Pages {
	for await (const page of rowsOf(source, layawayList, { show: "all" }))
		yield page.flatMap(({ items, saleId = null, endedAt = null, ...kept }) =>
			items.map(({ packName, packSize, unit, ...line }) => ({
				...{ ...line, ...kept, saleId, endedAt },
				packName: packName ?? null,
				packSize: packSize ?? null,
				unit: unit ?? null,
			})),
		);
}

/** Money facts in the order in which the server recorded them. */
async function* readPayments(source: ExportSource, days: Days): Pages {
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, paymentList, days))
		yield page.map((row) => ({ ...row, localTime: localTime(row.createdAt) }));
}

/** Shifts, newest first, with a row for each method that was counted. */
async function* readShifts(source: ExportSource): Pages {
	for await (const page of rowsOf(source, shiftList, {}))
		yield page.flatMap(({ compared, ...shift }) =>
			(compared ?? [uncounted]).map((one) => ({
				...{ ...shift, ...one },
				difference:
					one.counted === null ? null : plus(one.counted, -one.expected),
			})),
		);
}

async function* readCounts(source: ExportSource): Pages {
	const asker = { businessId: source.businessId, role: "OWNER" } as const;
	const localTime = await clockOf(source);
	for await (const page of rowsOf(source, countList, {}))
		for (const { id } of page)
			yield toCountRows(
				await source.shop.ask(asker, countDifference, { id }),
				localTime,
			);
}

/** What is known of a shift that is open. */
const uncounted = { method: null, expected: null, counted: null };

/** Codes of as many days as one answer has at a time; without days, of those up to today. */
async function* readMatches(source: ExportSource, days: Days): Pages {
	const asker = { businessId: source.businessId, role: "OWNER" } as const;
	const { day: today } = await source.shop.ask(asker, businessToday, {});
	const localTime = await clockOf(source);
	const last = days.to ?? today;
	const first = days.from ?? addDays(last, 1 - factDaysMax);
	for (let to = last; to >= first; to = addDays(to, -factDaysMax)) {
		const start = addDays(to, 1 - factDaysMax);
		const period = { from: start > first ? start : first, to };
		for await (const page of rowsOf(source, statementMatch, period))
			yield page.map((match) => toMatchRow(match, localTime));
	}
}

/** Without days, from the shop's start up to today. */
async function wholeOf(
	{ shop, businessId }: ExportSource,
	days: Days,
): Promise<Required<Days>> {
	const asker = { businessId, role: "OWNER" } as const;
	const { createdAt } = await shop.ask(asker, businessGet, {});
	const { day: today } = await shop.ask(asker, businessToday, {});
	const { from = addDays(createdAt.slice(0, 10), -1), to = today } = days;
	return { from, to };
}

async function* readShiftDays(source: ExportSource, days: Days): Pages {
	const { shop, businessId } = source;
	const asker = { businessId, role: "OWNER" } as const;
	yield* dayRows(shop, asker, await wholeOf(source, days));
}

async function* readRevenue(source: ExportSource, days: Days): Pages {
	const asker = { businessId: source.businessId, role: "OWNER" } as const;
	for (const day of daysOf(await wholeOf(source, days))) {
		const period = { from: day, to: day };
		const report = await source.shop.ask(asker, reportMoney, period);
		if (report.total.figures.facts > 0)
			yield toMoneyRows(report).map((row) => ({ day, ...row }));
	}
}

async function* readJournal(source: ExportSource, days: Days): Pages {
	const asker = { businessId: source.businessId, role: "OWNER" } as const;
	for (const day of daysOf(await wholeOf(source, days)))
		yield (await source.shop.ask(asker, journalEntry, { day })).lines;
}

/** Months, or the parts of them that the days leave, the oldest first. */
async function* readTaxes(source: ExportSource, days: Days): Pages {
	const { shop, businessId } = source;
	const asker = { businessId, role: "OWNER" } as const;
	const { from: first, to: last } = await wholeOf(source, days);
	let from = first;
	while (from <= last) {
		const monthEnd = lastOfMonth(from);
		const to = monthEnd < last ? monthEnd : last;
		const { rows } = await shop.ask(asker, reportTax, { from, to });
		const period = { from, to };
		yield rows.map(({ taxClass, name, taxRate, sold, refunded }) => ({
			...{ ...period, taxClass, name, taxRate },
			...{ soldNet: sold.net, soldTax: sold.tax, soldGross: sold.gross },
			...{ refundedNet: refunded.net, refundedTax: refunded.tax },
			refundedGross: refunded.gross,
		}));
		if (to === last) return;
		from = addDays(to, 1);
	}
}

/** @example lastOfMonth("2026-02-10") === "2026-02-28" */
function lastOfMonth(day: string): string {
	const [year = 0, month = 0] = day.split("-").map(Number);
	return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** @returns a function that formats times in the shop's time zone */
async function clockOf({ shop, businessId }: ExportSource) {
	const asker = { businessId, role: "OWNER" } as const;
	const { timeZone } = await shop.ask(asker, businessGet, {});
	return localTimes(timeZone);
}
