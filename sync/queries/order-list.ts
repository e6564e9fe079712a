import * as z from "zod";
import { sumOfProducts, toDecimal, unitMicros } from "../entities/money.ts";
import { addDays } from "../protocol/clock.ts";
import type { DbRow } from "../store/store.ts";
import { lengthOf } from "./period.ts";
import type { QueryContext } from "./query.ts";
import { all, sql, valuesOf } from "./sql.ts";
import { readDaySums, readTopProducts, windowDays } from "./tallies.ts";

const orderMax = 20;
/** Only the best sellers of the last 30 days are worth an order: the others are not looked at. */
const bestSellersMax = 1_000;
/** An order brings the stock to its threshold and so many days of sales. */
const coveredDays = 7;

export const orderLine = z.object({
	productId: z.string(),
	name: z.string(),
	/** The present stock. */
	quantity: z.number(),
	/** What was sold a day in the last 30 days, or since the shop's first sale in them. */
	soldPerDay: z.number(),
	/** Whole pieces: a week's sales and the threshold for low stock, less the present stock. */
	suggested: z.number(),
	/** What they cost; null without a buying price. */
	cost: z.number().nullable(),
	/** Who brought it last. Null if nobody did, or nobody in particular. */
	supplier: z
		.object({
			id: z.string(),
			name: z.string(),
			phone: z.string().nullable(),
		})
		.nullable(),
});
type OrderLine = z.infer<typeof orderLine>;

/**
 * Lists what is low in stock and sells, what runs out first first. It reads the sums of products in the last 30 days,
 * and the products with the highest.
 */
export async function readOrder(
	context: QueryContext,
	today: string,
): Promise<OrderLine[]> {
	const { tx, businessId } = context;
	const best = await readTopProducts(
		tx,
		businessId,
		today,
		"revenue",
		bestSellersMax,
	);
	const selling = best.filter(({ quantity }) => quantity > 0);
	if (selling.length === 0) return [];
	const low = await all(
		tx,
		sql`SELECT id, name, quantity, low_stock, buying_price FROM products
      WHERE business_id = ${businessId} AND id IN (${valuesOf(selling.map(({ productId }) => productId))})
        AND quantity <= low_stock AND is_active = 1 AND is_service = 0 AND deleted = 0`,
	);
	const lowById = new Map(low.map((row) => [row.id, row]));
	const days = await countDaysOfSales(context, today);
	const lines = selling
		.flatMap(({ productId, quantity: sold }) => {
			const row = lowById.get(productId);
			if (!row) return [];
			const daysLeft = (Number(row.quantity) * days) / sold;
			return { daysLeft, line: toOrderLine(row, sold, days) };
		})
		.filter(({ line }) => line.suggested > 0)
		.toSorted((a, b) => a.daysLeft - b.daysLeft)
		.slice(0, orderMax);
	const ordered: OrderLine[] = [];
	for (const { line } of lines)
		ordered.push({
			...line,
			supplier: await lastSupplier(context, line.productId),
		});
	return ordered;
}

/** Returns who brought a product last. */
async function lastSupplier(
	{ tx, businessId }: QueryContext,
	productId: string,
): Promise<OrderLine["supplier"]> {
	const row = await tx.get(
		`SELECT suppliers.id, suppliers.name, suppliers.phone FROM stock_movements AS moved
     JOIN deliveries AS delivery ON delivery.business_id = moved.business_id AND delivery.id = moved.delivery_id
     LEFT JOIN suppliers ON suppliers.business_id = delivery.business_id AND suppliers.id = delivery.supplier_id AND suppliers.deleted = 0
     WHERE moved.business_id = ? AND moved.product_id = ? AND moved.cost IS NOT NULL AND moved.delta > 0 AND moved.deleted = 0
     ORDER BY moved.created_at DESC, moved.id DESC LIMIT 1`,
		...[businessId, productId],
	);
	if (typeof row?.id !== "string") return null;
	return {
		id: row.id,
		name: row.name as string,
		phone: row.phone as string | null,
	};
}

/** @param sold in millionths, in so many days */
function toOrderLine(
	row: DbRow,
	sold: number,
	days: number,
): Omit<OrderLine, "supplier"> {
	// Less than nothing is a mistake of the book, not a debt of goods.
	const stock = Math.max(0, Number(row.quantity));
	const missing =
		Math.ceil((sold * coveredDays) / days) + Number(row.low_stock) - stock;
	const quantity = Math.ceil(missing / unitMicros) * unitMicros;
	const price = row.buying_price;
	return {
		productId: row.id as string,
		name: row.name as string,
		quantity: toDecimal(Number(row.quantity)),
		soldPerDay: toDecimal(Math.round(sold / days)),
		suggested: toDecimal(quantity),
		cost:
			price === null
				? null
				: toDecimal(sumOfProducts([{ price: Number(price), quantity }])),
	};
}

/** Counts the days from the first with a sale among the last 30. */
async function countDaysOfSales(
	{ tx, businessId }: QueryContext,
	today: string,
): Promise<number> {
	const sums = await readDaySums(
		tx,
		businessId,
		"day",
		addDays(today, -windowDays),
		today,
	);
	const [first = today] = sums
		.filter(({ sales }) => sales > 0)
		.map(({ day }) => day)
		.toSorted();
	return lengthOf({ from: first, to: today });
}
