import * as z from "zod";
import { type InboxItem, inboxItem, inboxItemRow } from "../entities/inbox.ts";
import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import { selectWires } from "../rows/rows.ts";
import { defineQuery, type QueryContext } from "./query.ts";

const listedItem = inboxItemRow
	.extend({
		receiptNumber: z.string().nullable(),
		productName: z.string().nullable(),
		/** Null if this database does not know the till. */
		devicePrefix: z.string().nullable(),
		/**
		 * The selling price of what was oversold, the difference that an old price made, or the total of a sale with a
		 * wrong clock. Null for other causes.
		 */
		moneyAtStake: z.number().nullable(),
	})
	.meta({ id: "InboxItem" });
type ListedItem = z.input<typeof listedItem>;

const pageMax = 200;

export const inboxItemList = defineQuery({
	name: "inboxItem.list",
	summary: "The inbox, the latest item first",
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
			`${where} LIMIT ? OFFSET ?`,
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
		`SELECT count(*) AS items FROM inbox_items WHERE business_id = ? AND deleted = 0 ${where}`,
		businessId,
	);
	return Number(row?.items);
}

async function toListed({ tx, businessId }: QueryContext, item: InboxItem) {
	const { saleId, productId, deviceId } = item;
	const found = await tx.get(
		`SELECT (SELECT receipt_number FROM sales WHERE business_id = ? AND id = ?) AS receipt,
       (SELECT name FROM products WHERE business_id = ? AND id = ?) AS name,
       (SELECT selling_price FROM products WHERE business_id = ? AND id = ?) AS price,
       (SELECT price FROM sale_items WHERE business_id = ? AND sale_id = ? AND product_id = ? ORDER BY position DESC LIMIT 1) AS sold,
       (SELECT prefix FROM devices WHERE business_id = ? AND id = ?) AS prefix`,
		...[businessId, saleId],
		...[businessId, productId],
		...[businessId, productId],
		...[businessId, saleId, productId],
		...[businessId, deviceId],
	);
	const text = (name: string) => (found?.[name] ?? null) as string | null;
	const number = (name: string) => (found?.[name] ?? null) as number | null;
	return {
		...item,
		receiptNumber: text("receipt"),
		productName: text("name"),
		devicePrefix: text("prefix"),
		moneyAtStake: atStake(item, number("price"), number("sold")),
	};
}

/** If a product is in several lines of a sale, stock ran out at the last of them. */
function atStake(
	{ cause, quantity, amount }: InboxItem,
	price: number | null,
	soldAt: number | null,
): number | null {
	if (cause === "clock") return amount;
	if (quantity === null) return null;
	const each =
		cause === "oversold"
			? soldAt
			: cause === "old_price" && price !== null
				? Math.abs(price - toMicros(amount ?? 0))
				: null;
	return each === null
		? null
		: toDecimal(sumOfProducts([{ price: each, quantity: toMicros(quantity) }]));
}
