import * as z from "zod";
import { businessDay, toIso } from "../clock.ts";
import { business, businessRow } from "../entities/business.ts";
import { ShopError } from "../errors.ts";
import { day, timestamp } from "../fields.ts";
import { defineQuery } from "../query.ts";
import { findWire } from "../rows.ts";

export const businessGet = defineQuery({
	name: "business.get",
	summary: "The caller's business",
	args: z.strictObject({}),
	answer: businessRow,
	async run({ tx, businessId }) {
		const found = await findWire<z.input<typeof businessRow>>(
			tx,
			business,
			businessId,
			businessId,
		);
		if (!found) throw new ShopError("not_found", "Business not found");
		return found;
	},
});

export const businessToday = defineQuery({
	name: "business.today",
	summary: "The shop's day of this moment",
	args: z.strictObject({}),
	answer: z.object({ day }),
	async run(asking, args) {
		const shop = await businessGet.run(asking, args);
		const { timeZone, cutOffHour } = shop;
		return { day: businessDay(toIso(asking.now), timeZone, cutOffHour) };
	},
});

const count = z.int();

export const businessCounts = defineQuery({
	name: "business.counts",
	summary: "How much a shop has, and since when",
	args: z.strictObject({}),
	answer: z.object({
		products: count,
		categories: count,
		sales: count,
		refunds: count,
		stockMovements: count,
		toSortOut: count,
		firstSale: timestamp.nullable(),
		lastSale: timestamp.nullable(),
	}),
	async run({ tx, businessId }) {
		const live = (table: string) =>
			`(SELECT count(*) FROM ${table} WHERE business_id = ? AND deleted = 0)`;
		const row = await tx.get(
			`SELECT ${live("products")} AS products, ${live("categories")} AS categories, ${live("sales")} AS sales,
         ${live("refunds")} AS refunds, ${live("stock_movements")} AS moved, ${live("inbox_items")} AS to_sort_out,
         (SELECT min(created_at) FROM sales WHERE business_id = ?) AS first,
         (SELECT max(created_at) FROM sales WHERE business_id = ?) AS last`,
			...Array.from({ length: 8 }, () => businessId),
		);
		const number = (name: string) => Number(row?.[name]);
		return {
			products: number("products"),
			categories: number("categories"),
			sales: number("sales"),
			refunds: number("refunds"),
			stockMovements: number("moved"),
			toSortOut: number("to_sort_out"),
			firstSale: (row?.first ?? null) as string | null,
			lastSale: (row?.last ?? null) as string | null,
		};
	},
});
