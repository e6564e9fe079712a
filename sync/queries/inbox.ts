import * as z from "zod";
import { type InboxItem, inboxItem, inboxItemRow } from "../entities/inbox.ts";
import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import { selectWires } from "../rows/rows.ts";
import { stakeOf, unitPrice } from "./inbox-stake.ts";
import { defineQuery, type QueryContext } from "./query.ts";

const listedItem = inboxItemRow
	.omit({ resolution: true, decidedAt: true, decidedBy: true })
	.extend({
		receiptNumber: z.string().nullable(),
		productName: z.string().nullable(),
		/** Null if this database does not know the till. */
		devicePrefix: z.string().nullable(),
		/** As `stakeOf` measures it. */
		moneyAtStake: z.number().nullable(),
	})
	.meta({ id: "InboxItem" });
type ListedItem = z.input<typeof listedItem>;

const pageMax = 200;

export const inboxItemList = defineQuery({
	name: "inboxItem.list",
	summary: "The open items of the inbox, the latest first",
	args: z.strictObject({
		limit: z.int().min(0).max(pageMax).default(50),
		offset: z.int().min(0).default(0),
	}),
	answer: z.object({ items: z.array(listedItem), total: z.int() }),
	async run(context, { limit, offset }) {
		const items: ListedItem[] = [];
		for (const item of await readItems(context, limit, offset))
			items.push(await toListed(context, item));
		return { items, total: await countItems(context) };
	},
});

/** Items of a till's pending mutations have no version yet, and come first. */
async function readItems(
	context: QueryContext,
	limit: number,
	offset: number,
): Promise<InboxItem[]> {
	const select = (where: string, limit: number, offset: number) =>
		selectWires<InboxItem>(
			context.tx,
			inboxItem,
			context.businessId,
			`AND resolution IS NULL ${where} LIMIT ? OFFSET ?`,
			limit,
			offset,
		);
	const unsent = await select(
		"AND version < 1 ORDER BY created_at DESC, id",
		limit,
		offset,
	);
	const before = await countItems(context, "AND version < 1");
	const sent = await select(
		"AND version >= 1 ORDER BY version DESC, id",
		limit - unsent.length,
		Math.max(offset - before, 0),
	);
	return [...unsent, ...sent];
}

async function countItems(
	{ tx, businessId }: QueryContext,
	where = "",
): Promise<number> {
	const row = await tx.get(
		`SELECT count(*) AS items FROM inbox_items WHERE business_id = ? AND deleted = 0 AND resolution IS NULL ${where}`,
		businessId,
	);
	return Number(row?.items);
}

async function toListed(
	{ tx, businessId }: QueryContext,
	{ resolution: _, decidedAt: __, decidedBy: ___, ...item }: InboxItem,
) {
	const { saleId, productId, deviceId } = item;
	const found = await tx.get(
		`SELECT (SELECT receipt_number FROM sales WHERE business_id = ? AND id = ?) AS receipt,
       (SELECT name FROM products WHERE business_id = ? AND id = ?) AS name,
       (SELECT selling_price FROM products WHERE business_id = ? AND id = ?) AS price,
       (SELECT ${unitPrice} FROM sale_items WHERE business_id = ? AND sale_id = ? AND product_id = ? ORDER BY position DESC LIMIT 1) AS sold,
       (SELECT prefix FROM devices WHERE business_id = ? AND id = ?) AS prefix`,
		...[businessId, saleId],
		...[businessId, productId],
		...[businessId, productId],
		...[businessId, saleId, productId],
		...[businessId, deviceId],
	);
	const text = (name: string) => (found?.[name] ?? null) as string | null;
	const number = (name: string) => (found?.[name] ?? null) as number | null;
	const stake = stakeOf(
		{
			...item,
			quantity: item.quantity === null ? null : toMicros(item.quantity),
			amount: item.amount === null ? null : toMicros(item.amount),
		},
		{ price: number("price"), soldAt: number("sold") },
	);
	return {
		...item,
		receiptNumber: text("receipt"),
		productName: text("name"),
		devicePrefix: text("prefix"),
		moneyAtStake: stake && toDecimal(sumOfProducts([stake])),
	};
}
