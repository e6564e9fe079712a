import * as z from "zod";
import { SumOverflow } from "../protocol/errors.ts";
import type { Connection } from "../store/store.ts";
import { defineEntity } from "./entity.ts";
import { amount, computed, recordId, text, timestamp } from "./fields.ts";

/** A person's reason for adjusting stock. */
export const adjustReasons = [
	"received",
	"count",
	"damage",
	"theft",
	"return",
	"other",
] as const;

export const stockMovementRow = z.object({
	id: recordId,
	productId: recordId,
	delta: computed,
	reason: z.enum([
		"opening",
		"sale",
		"void",
		"refund",
		"adjustment",
		"sentBack",
		...adjustReasons,
	]),
	note: text(500).nullable(),
	saleId: recordId.nullable(),
	itemId: recordId.nullable(),
	userId: recordId.nullable(),
	createdAt: timestamp,
	/** What a unit cost, of goods that a supplier brought or got back. Absent of other movements. */
	cost: amount.optional(),
	deliveryId: recordId.optional(),
});
export type StockMovement = z.input<typeof stockMovementRow>;

/**
 * A movement of stock that is no sale: a sale's line is its own. Movements never change, and a product's quantity is the
 * sum of the ledger.
 */
export const stockMovement = defineEntity({
	name: "stockMovement",
	table: "stock_movements",
	row: stockMovementRow,
	movesStock: ({ productId, delta, createdAt: at }) => [
		{ productId, delta, at },
	],
});

/**
 * Sums a product's ledger.
 *
 * @throws SumOverflow
 */
export async function readStock(
	tx: Pick<Connection, "all">,
	businessId: string,
	productId: string,
): Promise<number> {
	const movements = await tx.all(
		`SELECT delta FROM stock_ledger WHERE business_id = ? AND product_id = ?
     UNION ALL SELECT delta FROM older_stock WHERE business_id = ? AND product_id = ?`,
		...[businessId, productId, businessId, productId],
	);
	const sum = movements.reduce((sum, { delta }) => sum + (delta as number), 0);
	if (!Number.isSafeInteger(sum)) throw new SumOverflow("quantity");
	return sum;
}
