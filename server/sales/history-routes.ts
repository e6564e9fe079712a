import type { Response } from "express";
import * as z from "zod";
import { day } from "../../sync/entities/fields.ts";
import { localTimes } from "../../sync/protocol/clock.ts";
import { businessGet } from "../../sync/queries/business.ts";
import { pageOf, pagesOf } from "../../sync/queries/list-pages.ts";
import {
	type SaleWithLines,
	saleHistory,
	saleLines,
	saleTotals,
} from "../../sync/queries/sale-history.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Deps } from "../deps.ts";
import { toCsv } from "../http/csv.ts";
import { queryCount, queryText } from "../http/input.ts";
import { operation, type Routes } from "../http/operation.ts";
import { sendPages } from "../http/stream-list.ts";
import { paidBy } from "./paid-by.ts";

const pageMax = 200;

const filter = z.object({
	/** Business days, both inclusive. */
	from: day.optional(),
	to: day.optional(),
	/** Part of the receipt number, a line's name, the payment method or the notes; or the total or the sum paid. */
	search: queryText,
	paymentMethod: queryText,
	/** A product that a line sold. */
	productId: queryText,
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

/** Routes of the sales history, searchable by day and text, unlike `GET /api/sales`. */
export function historyRoutes({ shop }: Deps): Routes {
	/** Yields the file page by page, so that memory stays constant. */
	async function* toFile(
		caller: Caller,
		asked: z.output<typeof filter>,
	): AsyncGenerator<string> {
		const { timeZone } = await shop.ask(caller, businessGet, {});
		const localTime = localTimes(timeZone);
		yield toCsv([columns]);
		for await (const sales of pagesOf(shop, caller, saleLines, asked))
			yield toCsv(sales.flatMap((sale) => toRows(sale, localTime)));
	}

	return {
		"/api/sales-history": {
			GET: operation({
				summary: saleHistory.summary,
				access: "member",
				query: filter.extend({ limit: queryCount(50), cursor: queryText }),
				answers: {
					200: z.object({
						sales: z.array(saleHistory.row),
						/** The cursor of the next page; null after the last. */
						nextCursor: z.string().nullable(),
						/** Totals of all requested days; null if anything else narrows them. */
						totals: saleTotals.answer.nullable(),
					}),
				},
				async handle({ caller, query, response }) {
					const { limit, cursor, ...asked } = query;
					const { rows, next } = await pageOf(
						shop,
						caller,
						saleHistory,
						asked,
						{ after: cursor, limit: Math.min(limit, pageMax) },
						() => !response.destroyed,
					);
					const { from, to, ...narrowed } = asked;
					const totals = Object.values(narrowed).some(Boolean)
						? null
						: await shop.ask(caller, saleTotals, { from, to });
					response.json({ sales: rows, nextCursor: next, totals });
				},
			}),
		},

		"/api/sales-history.csv": {
			GET: operation({
				summary: "Export the sales history as CSV, one row per line of a sale",
				access: "member",
				query: filter,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					startCsv(response, "sales.csv");
					await sendPages(response, toFile(caller, query));
				},
			}),
		},
	};
}

function toRows(
	sale: SaleWithLines,
	localTime: (at: string) => string,
): unknown[][] {
	const time = localTime(sale.createdAt);
	return sale.items.map((item) => [
		sale.receiptNumber,
		sale.businessDay,
		time,
		item.name,
		item.sku,
		item.quantity,
		item.price,
		item.total,
		item.cost,
		paidBy(sale),
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
