import { stringify } from "csv-stringify/sync";
import type { Response } from "express";
import * as z from "zod";
import { addDays } from "../../sync/clock.ts";
import { type Sale, sale, saleWire } from "../../sync/entities/sale.ts";
import { day } from "../../sync/fields.ts";
import { toDecimal } from "../../sync/money.ts";
import type { Caller } from "../../sync/shop.ts";
import type { Connection, Value } from "../../sync/store/store.ts";
import { queryCount, queryText } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const pageMax = 200;
const exportPage = 500;

const listedSale = saleWire
	.extend({
		status: z.enum(["sold", "voided", "refunded", "partly refunded"]),
		refundedTotal: z.number(),
	})
	.meta({ id: "ListedSale" });
type ListedSale = Sale &
	Pick<z.output<typeof listedSale>, "status" | "refundedTotal">;

const filter = z.object({
	/** Days of the business, both inclusive. */
	from: day.optional(),
	to: day.optional(),
	/** A part of the receipt's number, of a line's name, of the payment method or of the notes. */
	search: queryText,
});
type Filter = z.output<typeof filter>;

const columns = [
	"receipt",
	"day",
	"time (UTC)",
	"item",
	"quantity",
	"price",
	"cost",
	"payment",
	"sale total",
	"refunded",
	"status",
	"notes",
];

/** What was sold, looked through by day and by word; the contract's own list knows neither. */
export function historyRoutes({ shop }: Deps): Routes {
	const page = (
		{ businessId }: Caller,
		asked: Filter,
		cursor: string | undefined,
		limit: number,
	) => shop.store.read((tx) => readPage(tx, businessId, asked, cursor, limit));

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
					}),
				},
				async handle({ caller, query: { limit, cursor, ...asked }, response }) {
					response.json(
						await page(caller, asked, cursor, Math.min(limit, pageMax)),
					);
				},
			}),
		},

		"/api/sales-history.csv": {
			GET: operation({
				summary: "The same as a file, a row a line of a sale",
				access: "member",
				query: filter,
				answers: { 200: { "text/csv": z.string() } },
				async handle({ caller, query, response }) {
					startCsv(response, "sales.csv");
					response.write(toCsv([columns]));
					for (let cursor: string | null | undefined; cursor !== null; ) {
						const { sales, nextCursor } = await page(
							caller,
							query,
							cursor,
							exportPage,
						);
						await send(response, toCsv(sales.flatMap(toRows)));
						cursor = response.destroyed ? null : nextCursor;
					}
					response.end();
				},
			}),
		},
	};
}

async function readPage(
	tx: Connection,
	businessId: string,
	{ from, to, search }: Filter,
	cursor: string | undefined,
	limit: number,
): Promise<{ sales: ListedSale[]; nextCursor: string | null }> {
	const where: string[] = [];
	const params: Value[] = [];
	const add = (condition: string, ...values: Value[]) => {
		where.push(`AND ${condition}`);
		params.push(...values);
	};
	// A day and its moments are never further apart than zones and a bar's night: the index by time narrows the search.
	if (from) {
		add("created_at >= ?", `${addDays(from, -2)}T00:00:00.000Z`);
		add("business_day >= ?", from);
	}
	if (to) {
		add("created_at < ?", `${addDays(to, 3)}T00:00:00.000Z`);
		add("business_day <= ?", to);
	}
	if (search) {
		const pattern = `%${search.toLowerCase().replace(/[!%_]/g, "!$&")}%`;
		const like = (column: string) => `lower(${column}) LIKE ? ESCAPE '!'`;
		add(
			`(${like("receipt_number")} OR ${like("payment_method")} OR ${like("notes")} OR EXISTS (
         SELECT 1 FROM sale_items WHERE sale_items.business_id = sales.business_id AND sale_id = sales.id AND ${like("name")}))`,
			...Array.from({ length: 4 }, () => pattern),
		);
	}
	const [at, id] = cursor?.split("_") ?? [];
	if (at && id) add("(created_at, id) < (?, ?)", at, id);
	const found = (await selectWires(
		tx,
		sale,
		businessId,
		`${where.join(" ")} ORDER BY created_at DESC, id DESC LIMIT ?`,
		...params,
		limit + 1,
	)) as Sale[];
	const sales = found.slice(0, limit);
	const taken = await readTaken(tx, businessId, sales);
	const last = sales.at(-1);
	return {
		sales: sales.map((one) => ({ ...one, ...standingOf(one, taken) })),
		nextCursor:
			found.length > limit && last ? `${last.createdAt}_${last.id}` : null,
	};
}

/** What was taken back of each of some sales, in millionths. */
async function readTaken(tx: Connection, businessId: string, sales: Sale[]) {
	const rows = await tx.all(
		`SELECT sale_id, sum(total) AS total, max(CASE WHEN kind = 'void' THEN 1 ELSE 0 END) AS voided FROM refunds
     WHERE business_id = ? AND deleted = 0 AND sale_id IN (${sales.map(() => "?").join(", ") || "NULL"}) GROUP BY sale_id`,
		businessId,
		...sales.map(({ id }) => id),
	);
	return new Map(rows.map((row) => [row.sale_id as string, row]));
}

function standingOf(
	{ id, total }: Sale,
	taken: Awaited<ReturnType<typeof readTaken>>,
): Pick<ListedSale, "status" | "refundedTotal"> {
	const row = taken.get(id);
	if (!row) return { status: "sold", refundedTotal: 0 };
	const refundedTotal = toDecimal(Number(row.total));
	if (Number(row.voided) === 1) return { status: "voided", refundedTotal };
	return {
		status: refundedTotal >= total ? "refunded" : "partly refunded",
		refundedTotal,
	};
}

function toRows(sale: ListedSale): unknown[][] {
	return sale.items.map((item) => [
		sale.receiptNumber,
		sale.businessDay,
		sale.createdAt,
		item.name,
		item.quantity,
		item.price,
		item.cost,
		sale.paymentMethod,
		sale.total,
		sale.refundedTotal,
		sale.status,
		sale.notes,
	]);
}

/** Rows for a spreadsheet, which must not take a cell of a customer's words for a formula. */
export function toCsv(rows: unknown[][]): string {
	return stringify(rows, {
		escape_formulas: true,
		record_delimiter: "windows",
	});
}

export function startCsv(response: Response, name: string): void {
	response.type("text/csv; charset=utf-8");
	response.set("Content-Disposition", `attachment; filename="${name}"`);
}

/** Waits for a reader who is slower than the database. */
async function send(response: Response, text: string): Promise<void> {
	if (response.destroyed || response.write(text)) return;
	await new Promise<void>((resolve) => {
		response.once("drain", resolve);
		response.once("close", resolve);
	});
}
