import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { computed, day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { addDays, momentOf } from "../protocol/clock.ts";
import { businessGet } from "./business.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";

const shownMax = 10;

const productCost = z
	.object({
		/** What a unit cost in the last delivery. Null before the first. */
		last: computed.nullable(),
		/** What a unit in stock cost on average: each delivery moves it by what it brought. Null before the first. */
		average: computed.nullable(),
		/** The last deliveries, the newest first. */
		deliveries: z.array(
			z.object({
				deliveryId: z.string(),
				businessDay: day,
				supplierId: z.string().nullable(),
				supplierName: z.string().nullable(),
				/** In the product's unit. */
				quantity: computed,
				cost: computed,
			}),
		),
	})
	.meta({ id: "ProductCost" });

/** Costs by movement. It reads all of a product's movements, so only a product's own sheet asks it. */
export const productCosts = defineQuery({
	name: "product.costs",
	summary:
		"What a product cost by its deliveries: the last cost, the moving average, and who brought it",
	args: z.strictObject({
		id: anyId,
		/** The last day that counts: what it cost then. Absent for now. */
		day: day.optional(),
	}),
	answer: productCost,
	older: { since: () => "" },
	roles: managing,
	async run(context, { id, day: last }) {
		const { tx, businessId } = context;
		const end = last ? await endOf(context, last) : "9999";
		const brought = await tx.all(
			`SELECT moved.delivery_id, moved.delta, moved.cost, delivery.business_day, delivery.supplier_id, suppliers.name
       FROM stock_movements AS moved
       JOIN deliveries AS delivery ON delivery.business_id = moved.business_id AND delivery.id = moved.delivery_id
       LEFT JOIN suppliers ON suppliers.business_id = delivery.business_id AND suppliers.id = delivery.supplier_id
       WHERE moved.business_id = ? AND moved.product_id = ? AND moved.cost IS NOT NULL AND moved.delta > 0 AND moved.deleted = 0 AND moved.created_at < ?
       ORDER BY moved.created_at DESC, moved.id DESC LIMIT ?`,
			...[businessId, id, end, shownMax],
		);
		if (brought.length === 0)
			return { last: null, average: null, deliveries: [] };
		const movements = await tx.all(
			`SELECT delta, cost FROM stock_ledger WHERE business_id = ? AND product_id = ? AND deleted = 0 AND created_at < ? ORDER BY created_at, id`,
			...[businessId, id, end],
		);
		const average = averageCost(
			movements.map(({ delta, cost }) => ({
				delta: Number(delta),
				cost: cost === null ? null : Number(cost),
			})),
		);
		return {
			last: toDecimal(Number(brought[0]?.cost)),
			average: average === null ? null : toDecimal(average),
			deliveries: brought.map((row) => ({
				deliveryId: row.delivery_id as string,
				businessDay: row.business_day as string,
				supplierId: row.supplier_id as string | null,
				supplierName: row.name as string | null,
				quantity: toDecimal(Number(row.delta)),
				cost: toDecimal(Number(row.cost)),
			})),
		};
	},
});

/** Returns the moment at which a business day ends. */
async function endOf(context: QueryContext, day: string): Promise<string> {
	const { timeZone, cutOffHour } = await businessGet.run(context, {});
	const hour = String(cutOffHour).padStart(2, "0");
	return momentOf(`${addDays(day, 1)}T${hour}:00:00`, timeZone);
}

/**
 * Returns the moving average of a product's cost in millionths: what comes in at a cost is averaged with the stock of that
 * moment, and what goes out leaves the average as it is. Stock from before the first cost counts as if it had that cost.
 *
 * @param movements in order of time; cost is null of those that have none
 */
export function averageCost(
	movements: readonly { delta: number; cost: number | null }[],
): number | null {
	let stock = 0;
	let average: number | null = null;
	for (const { delta, cost } of movements) {
		if (cost !== null && delta > 0)
			// Goods that are missing from the book have no cost to average with.
			average =
				average === null || stock <= 0
					? cost
					: average + (cost - average) * (delta / (stock + delta));
		stock += delta;
	}
	return average === null ? null : Math.round(average);
}
