import * as z from "zod";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
} from "../entity.ts";
import { ShopError } from "../errors.ts";
import { recordId, text, timestamp } from "../fields.ts";
import { computed, signedQuantity } from "../money.ts";
import { product } from "./product.ts";

/** Why a person changes stock by hand. */
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

/** The stock ledger: immutable; a product's quantity is the sum of its movements. */
export const stockMovement = defineEntity({
	name: "stockMovement",
	table: "stock_movements",
	row: stockMovementRow,
});

type Movement = Pick<
	z.output<typeof stockMovementRow>,
	"productId" | "delta" | "reason"
> &
	Partial<z.output<typeof stockMovementRow>>;

/**
 * Writes one movement and moves the product's quantity with it. A product that is not here (yet) gets its movement
 * all the same, and starts from it when it arrives.
 *
 * @returns the product as it stands after, or undefined where there is none
 */
export async function moveStock(
	context: Context,
	movement: Movement,
): Promise<RowOf<typeof product> | undefined> {
	await context.insert(stockMovement, {
		id: movement.id ?? context.nextId(),
		note: null,
		saleId: null,
		itemId: null,
		userId: context.userId,
		createdAt: context.at,
		...movement,
	});
	const { productId, delta } = movement;
	const moved = await context.add(product, productId, "quantity", delta);
	if (moved) assertCountable(moved.quantity);
	return moved;
}

function assertCountable(quantity: number): void {
	if (Number.isSafeInteger(quantity)) return;
	throw new ShopError(
		"invalid_args",
		"The product's stock would be beyond what can be counted exactly",
		"quantity",
	);
}

/** @throws ShopError `invalid_args` beyond what can be counted: each later sale of such a product would be refused */
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
	assertCountable(sum);
	return sum;
}

export const stockAdjust = defineMutation({
	name: "stock.adjust",
	args: z.strictObject({
		id: recordId,
		productId: recordId,
		delta: signedQuantity,
		reason: z.enum(adjustReasons),
		note: text(500).nullable().default(null),
	}),
	roles: managing,
	async apply(context, args) {
		const { id, productId, delta, reason } = args;
		const isSame = (a: RowOf<typeof stockMovement>) =>
			a.productId === productId && a.delta === delta && a.reason === reason;
		if (await context.isRecorded(stockMovement, id, isSame)) return;
		await context.get(product, productId, "productId");
		await moveStock(context, args);
	},
});
