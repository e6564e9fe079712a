import * as z from "zod";
import { defineEntity } from "../entity.ts";
import { recordId, timestamp } from "../fields.ts";
import { computed } from "../money.ts";

/**
 * What looked wrong about a sale that was rightly not refused: the goods and the money had changed hands.
 *
 * | cause | what a person should look at | quantity | amount |
 * |---|---|---|---|
 * | unknown_product | a line names a product that is not here | sold | |
 * | inactive_product | a line sold a deactivated product | sold | |
 * | oversold | more was sold than the books had | the shortfall | |
 * | old_price | the till had not heard of a price change | sold | the price taken |
 * | clock | the till's clock was ahead; the sale is dated by the server | | |
 */
export const inboxCauses = [
	"unknown_product",
	"inactive_product",
	"oversold",
	"old_price",
	"clock",
] as const;

export const inboxItemRow = z.object({
	id: recordId,
	cause: z.enum(inboxCauses),
	saleId: recordId,
	productId: recordId.nullable(),
	quantity: computed.nullable(),
	amount: computed.nullable(),
	deviceId: recordId.nullable(),
	createdAt: timestamp,
});
export type InboxItem = z.input<typeof inboxItemRow>;

/** The inbox "to sort out". */
export const inboxItem = defineEntity({
	name: "inboxItem",
	table: "inbox_items",
	row: inboxItemRow,
});
