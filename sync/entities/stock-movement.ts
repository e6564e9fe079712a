import * as z from "zod";
import { SumOverflow } from "../protocol/errors.ts";
import { type Context, defineEntity } from "./entity.ts";
import { computed, recordId, text, timestamp } from "./fields.ts";

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
		...adjustReasons,
	]),
	note: text(500).nullable(),
	saleId: recordId.nullable(),
	itemId: recordId.nullable(),
	userId: recordId.nullable(),
	createdAt: timestamp,
});
export type StockMovement = z.input<typeof stockMovementRow>;

/** The stock ledger. Movements never change, and a product's quantity is their sum. */
export const stockMovement = defineEntity({
	name: "stockMovement",
	table: "stock_movements",
	row: stockMovementRow,
});

/** @throws SumOverflow */
export async function sumOfMovements(
	context: Context,
	productId: string,
): Promise<number> {
	const movements = await context.all(
		"SELECT delta FROM stock_movements WHERE business_id = ? AND product_id = ?",
		context.businessId,
		productId,
	);
	const sum = movements.reduce((sum, { delta }) => sum + (delta as number), 0);
	if (!Number.isSafeInteger(sum)) throw new SumOverflow("quantity");
	return sum;
}
