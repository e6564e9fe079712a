import * as z from "zod";
import { Uncountable } from "../protocol/errors.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
} from "./entity.ts";
import {
	computed,
	recordId,
	signedQuantity,
	text,
	timestamp,
} from "./fields.ts";
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
 * anyway, and starts from it when it arrives.
 *
 * @returns the product as it stands after, or undefined where there is none
 * @throws Uncountable, with nothing moved
 */
export async function moveStock(
	context: Context,
	movement: Movement,
): Promise<RowOf<typeof product> | undefined> {
	const { productId, delta } = movement;
	const moved = await context.add(product, productId, "quantity", delta);
	await context.insert(stockMovement, {
		id: context.nextId(),
		note: null,
		saleId: null,
		itemId: null,
		userId: context.userId,
		createdAt: context.at,
		...movement,
	});
	return moved;
}

/** Like `moveStock`, for goods that have changed hands: "uncountable" where the books can't follow, with nothing moved. */
export async function moveFactStock(
	context: Context,
	movement: Movement,
): Promise<RowOf<typeof product> | "uncountable" | undefined> {
	try {
		return await moveStock(context, movement);
	} catch (error) {
		if (error instanceof Uncountable) return "uncountable";
		throw error;
	}
}

/** @throws Uncountable */
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
	if (!Number.isSafeInteger(sum)) throw new Uncountable("quantity");
	return sum;
}

export const stockAdjust = defineMutation({
	name: "stock.adjust",
	args: z.strictObject({
		id: recordId,
		productId: recordId,
		delta: signedQuantity,
		reason: z.enum(adjustReasons),
		note: stockMovementRow.shape.note.default(null),
	}),
	roles: managing,
	sentence: ({ productId, delta, reason }) =>
		`Moved the stock of product ${productId} by ${delta} (${reason})`,
	examples: [
		{
			id: "movement",
			productId: "product",
			delta: 12,
			reason: "received",
			note: "Delivery note 118",
		},
	],
	async apply(context, args) {
		const { id, productId, delta, reason } = args;
		const isSame = (a: RowOf<typeof stockMovement>) =>
			a.productId === productId && a.delta === delta && a.reason === reason;
		if (await context.isRecorded(stockMovement, id, isSame)) return;
		await context.get(product, productId, "productId");
		await moveStock(context, args);
	},
});
