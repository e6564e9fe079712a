import * as z from "zod";
import { type Sale, sale, saleWire } from "../entities/sale.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery } from "./query.ts";
import { recordQuery } from "./record.ts";
import { countSales } from "./tallies.ts";

/** Longer than any receipt number. */
const numberMax = 100;

const newestFirst = orderOf<Sale>(sale, {
	columns: { made_ms: "integer", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [Date.parse(createdAt), id],
});

export const saleList = defineList({
	name: "sale.list",
	summary: "Sales, the newest first",
	args: {
		/** How many sales to skip before the first page. */
		offset: z.int().min(0).default(0),
	},
	older: { since: () => "" },
	row: saleWire,
	placeOf: newestFirst.placeOf,
	async read(context, { offset }, page) {
		return { rows: await newestFirst.read(context, { ...page, offset }) };
	},
});

export const saleCount = defineQuery({
	name: "sale.count",
	summary: "The number of all sales, including voided ones",
	args: z.strictObject({}),
	answer: z.object({ total: z.int() }),
	older: "rather",
	settles: true,
	async run({ tx, businessId }) {
		return { total: await countSales(tx, businessId) };
	},
});

export const saleByReceipt = defineQuery({
	name: "sale.byReceipt",
	summary:
		"The sale with a receipt number, which may be typed in small letters; the newest if several have it",
	args: z.strictObject({ number: z.string().max(numberMax) }),
	answer: z.object({ sale: saleWire.nullable() }),
	older: "found",
	async run(context, { number }) {
		// No index by number, which each sale would pay for: reading newest first soon finds what was sold lately.
		const [sale = null] = await newestFirst.read(context, {
			where: "AND receipt_number IN (?, ?)",
			params: [number.trim(), number.trim().toUpperCase()],
			after: undefined,
			limit: 1,
		});
		return { sale };
	},
});

export const saleGet = recordQuery(sale, saleWire, {
	summary: "A sale",
	missing: "Sale not found",
	older: "sale",
});
