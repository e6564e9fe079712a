import * as z from "zod";
import { business, businessRow } from "../entities/business.ts";
import { day, timestamp } from "../entities/fields.ts";
import { entities } from "../entities/index.ts";
import { businessDay, toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire } from "../rows/rows.ts";
import { defineQuery } from "./query.ts";

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
	summary: "The current business day",
	args: z.strictObject({}),
	answer: z.object({ day }),
	async run(context, args) {
		const shop = await businessGet.run(context, args);
		const { timeZone, cutOffHour } = shop;
		return { day: businessDay(toIso(context.now), timeZone, cutOffHour) };
	},
});

const counted = entities
	.filter((entity) => entity !== business)
	.map(({ table }) => ({
		table,
		name: table.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
	}));

export const businessCounts = defineQuery({
	name: "business.counts",
	summary:
		"The numbers of records of a business, with the moments of its first and last sale",
	args: z.strictObject({}),
	answer: z.object({
		/** Numbers of records by entity, such as `stockMovements`. */
		records: z.record(z.string(), z.int()),
		firstSale: timestamp.nullable(),
		lastSale: timestamp.nullable(),
	}),
	older: "rather",
	async run({ tx, businessId }) {
		const records: Record<string, number> = {};
		for (const { table, name } of counted) {
			const row = await tx.get(
				`SELECT count(*) AS records FROM ${table} WHERE business_id = ? AND deleted = 0`,
				businessId,
			);
			records[name] = Number(row?.records);
		}
		// SQLite reads an index to its end for the least and the greatest at once.
		const momentOf = async (order: "ASC" | "DESC") => {
			const sold = await tx.get(
				`SELECT made_ms FROM sales WHERE business_id = ? ORDER BY made_ms ${order} LIMIT 1`,
				businessId,
			);
			return sold ? toIso(Number(sold.made_ms)) : null;
		};
		return {
			records,
			firstSale: await momentOf("ASC"),
			lastSale: await momentOf("DESC"),
		};
	},
});
