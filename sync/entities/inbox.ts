import * as z from "zod";
import { type Context, defineEntity } from "./entity.ts";
import { computed, recordId, timestamp } from "./fields.ts";

/**
 * What looks wrong about a sale that the server had to accept, because goods and money have changed hands.
 *
 * | cause | what a person should check | quantity | amount |
 * |---|---|---|---|
 * | unknown_product | a line names a product that this shop does not have | sold | |
 * | inactive_product | a line sold a deactivated product | sold | |
 * | oversold | the sale took more than was in stock | the shortfall | |
 * | old_price | the till had not received a price change | sold | the price charged |
 * | uncountable_stock | the product's stock is too large to count: this line did not move it | sold or taken back | |
 * | clock | the till's clock or day was wrong; the server dated the sale, void or refund | | its total |
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

/** One item of the inbox. */
export const inboxItem = defineEntity({
	name: "inboxItem",
	table: "inbox_items",
	row: inboxItemRow,
});

/** An inbox item to raise. Fields that its cause does not use are null. */
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
