import * as z from "zod";
import { defineMutation, managing, type RowOf } from "./entity.ts";
import { recordId, signedQuantity } from "./fields.ts";
import { moveStock, product } from "./product.ts";
import {
	adjustReasons,
	stockMovement,
	stockMovementRow,
} from "./stock-movement.ts";

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
		`Adjusted the stock of product ${productId} by ${delta} (${reason})`,
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
