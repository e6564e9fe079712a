import * as z from "zod";
import { type Sale, sale, saleWire } from "../entities/sale.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery } from "./query.ts";
import { recordQuery } from "./record.ts";
import { countSales } from "./tallies.ts";

const newestFirst = orderOf<Sale>(sale, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const saleList = defineList({
	name: "sale.list",
	summary: "Sales, the newest first",
	args: {
		/** How many sales to skip before the first page. */
		offset: z.int().min(0).default(0),
	},
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
	settles: true,
	async run({ tx, businessId }) {
		return { total: await countSales(tx, businessId) };
	},
});

export const saleGet = recordQuery(sale, saleWire, {
	summary: "A sale",
	missing: "Sale not found",
});
