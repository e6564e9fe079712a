import * as z from "zod";
import { type Context, defineEntity } from "./entity.ts";
import { computed, recordId, timestamp } from "./fields.ts";

/**
 * What looked wrong about a sale that was rightly not refused: the goods and the money had changed hands.
 *
 * | cause | what a person should look at | quantity | amount |
 * |---|---|---|---|
 * | unknown_product | a line names a product that is not here | sold | |
 * | inactive_product | a line sold a deactivated product | sold | |
 * | oversold | more was sold than the books had | the shortfall | |
 * | old_price | the till had not heard of a price change | sold | the price taken |
 * | uncountable_stock | the product's stock is too large to count: this line did not move it | sold or taken back | |
 * | clock | the till's clock or day was wrong; the server dated the sale, or what was taken back of it | | the money of it |
 */
const inboxCauses = [
	"unknown_product",
	"inactive_product",
	"oversold",
	"old_price",
	"uncountable_stock",
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

/** What looks wrong about a sale; fields that its cause does not use are null. */
export type InboxConcern = Pick<z.output<typeof inboxItemRow>, "cause"> &
	Partial<z.output<typeof inboxItemRow>>;

export async function raise(
	context: Context,
	saleId: string,
	concern: InboxConcern,
): Promise<void> {
	await context.insert(inboxItem, {
		id: context.nextId(),
		saleId,
		productId: null,
		quantity: null,
		amount: null,
		deviceId: context.deviceId,
		createdAt: context.at,
		...concern,
	});
}
