import type { Response } from "express";
import * as z from "zod";
import { localTimes } from "../../sync/clock.ts";
import { business } from "../../sync/entities/business.ts";
import { day } from "../../sync/fields.ts";
import { sumOfProducts, toDecimal, toMicros } from "../../sync/money.ts";
import { readRow } from "../../sync/rows.ts";
import { settleTallies } from "../../sync/tallies.ts";
import { toCsv } from "../csv.ts";
import {
	type Filter,
	type ListedSale,
	listedSale,
	readPage,
	readSkus,
	readTotals,
	totals,
} from "../history/sales.ts";
import { queryCount, queryText } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { sendPages } from "./long-list.ts";

const pageMax = 200;
const exportPage = 500;

const filter = z.object({
	/** Days of the business, both inclusive. */
	from: day.optional(),
	to: day.optional(),
	/** A part of the receipt's number, of a line's name, of the payment method or of the notes. */
	search: queryText,
});

const columns = [
	"receipt",
	"day",
	"time",
	"item",
	"sku",
	"quantity",
	"price",
	"line total",
	"cost",
	"payment",
	"sale total",
	"refunded",
	"status",
	"notes",
];

/** What was sold, looked through by day and by word; the contract's own list knows neither. */
export function historyRoutes({ shop }: Deps): Routes {
	const { store } = shop;

	/** The file, page by page: no more of it is held at once, however long it is. */
	async function* exported(
		businessId: string,
		asked: Filter,
		isWanted: () => boolean,
	): AsyncGenerator<string> {
		const owner = await store.read((tx) =>
			readRow(tx, business, businessId, businessId),
		);
		const localTime = localTimes(owner?.row.timeZone ?? "UTC");
		yield toCsv([columns]);
		for (let cursor: string | null | undefined; cursor !== null; ) {
			const { sales, nextCursor } = await readPage(
				store,
				businessId,
				asked,
				cursor,
				exportPage,
				isWanted,
			);
			const skus = await store.read((tx) =>
				readSkus(
					tx,
					businessId,
					sales.flatMap(({ items }) => items.map(({ productId }) => productId)),
				),
			);
			yield toCsv(sales.flatMap((sale) => toRows(sale, localTime, skus)));
			cursor = nextCursor;
		}
	}

	return {
		"/api/sales-history": {
			GET: operation({
				summary:
					"Sales of some days or with some words, the newest first, page by page",
				access: "member",
				query: filter.extend({ limit: queryCount(50), cursor: queryText }),
				answers: {
					200: z.object({
						sales: z.array(listedSale),
						/** Of the next page; null after the last. */
						nextCursor: z.string().nullable(),
						/** Of all the days asked for; null where a word is looked for. */
						totals: totals.nullable(),
					}),
				},
				async handle({
					caller: { businessId },
					query: { limit, cursor, ...asked },
					response,
				}) {
					const page = await readPage(
						store,
						businessId,
						asked,
						cursor,
						Math.min(limit, pageMax),
						() => !response.destroyed,
					);
					if (!asked.search) await settleTallies(shop, businessId);
					const sums = asked.search
						? null
						: await store.read((tx) => readTotals(tx, businessId, asked));
					response.json({ ...page, totals: sums });
				},
			}),
		},

		"/api/sales-history.csv": {
			GET: operation({
				summary: "The same as a file, a row a line of a sale",
				access: "member",
				query: filter,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller: { businessId }, query, response }) {
					startCsv(response, "sales.csv");
					const pages = exported(businessId, query, () => !response.destroyed);
					await sendPages(response, pages);
				},
			}),
		},
	};
}

function toRows(
	sale: ListedSale,
	localTime: (at: string) => string,
	skus: Map<string, string>,
): unknown[][] {
	const time = localTime(sale.createdAt);
	return sale.items.map((item) => [
		sale.receiptNumber,
		sale.businessDay,
		time,
		item.name,
		skus.get(item.productId ?? ""),
		item.quantity,
		item.price,
		toDecimal(
			sumOfProducts([
				{ price: toMicros(item.price), quantity: toMicros(item.quantity) },
			]),
		),
		item.cost,
		sale.paymentMethod,
		sale.total,
		sale.refundedTotal,
		sale.status,
		sale.notes,
	]);
}

export function startCsv(response: Response, name: string): void {
	response.type("text/csv; charset=utf-8");
	response.set("Content-Disposition", `attachment; filename="${name}"`);
}
