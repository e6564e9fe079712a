import * as z from "zod";
import { inboxItem, inboxItemRow } from "../../sync/entities/inbox.ts";
import { sumOfProducts, toDecimal, toMicros } from "../../sync/money.ts";
import { queryCount } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";
import { selectWires } from "./rows.ts";

const listedItem = inboxItemRow
	.extend({
		receiptNumber: z.string().nullable(),
		productName: z.string().nullable(),
		devicePrefix: z.string().nullable(),
		/** What was oversold at its selling price, or what an old price took too much or too little; null for the rest. */
		moneyAtStake: z.number().nullable(),
	})
	.meta({ id: "InboxItem" });

/** "To sort out": what looked wrong about sales that were rightly not refused. */
export function inboxRoutes({ shop }: Deps): Routes {
	return {
		"/api/inbox": {
			GET: operation({
				summary: "What is to be sorted out, the latest first",
				access: "member",
				query: z.object({ limit: queryCount(50), offset: queryCount(0) }),
				answers: {
					200: z.object({ items: z.array(listedItem), total: z.int() }),
				},
				async handle({ caller: { businessId }, query, response }) {
					const answer = await shop.store.read(async (tx) => {
						const rows = await selectWires(
							tx,
							inboxItem,
							businessId,
							"ORDER BY version DESC, id LIMIT ? OFFSET ?",
							query.limit,
							query.offset,
						);
						const items = [];
						for (const row of rows) {
							const found = await tx.get(
								`SELECT (SELECT receipt_number FROM sales WHERE business_id = ? AND id = ?) AS receipt,
                   (SELECT name FROM products WHERE business_id = ? AND id = ?) AS name,
                   (SELECT selling_price FROM products WHERE business_id = ? AND id = ?) AS price,
                   (SELECT prefix FROM devices WHERE business_id = ? AND id = ?) AS prefix`,
								...[
									row.saleId,
									row.productId,
									row.productId,
									row.deviceId,
								].flatMap((id) => [businessId, (id as string | null) ?? ""]),
							);
							items.push({
								...row,
								receiptNumber: found?.receipt ?? null,
								productName: found?.name ?? null,
								devicePrefix: found?.prefix ?? null,
								moneyAtStake: atStake(
									row as unknown as Parameters<typeof atStake>[0],
									found?.price as number | null,
								),
							});
						}
						const counted = await tx.get(
							"SELECT count(*) AS total FROM inbox_items WHERE business_id = ? AND deleted = 0",
							businessId,
						);
						return { items, total: Number(counted?.total) };
					});
					response.json(answer);
				},
			}),
		},
	};
}

function atStake(
	{ cause, quantity, amount }: z.input<typeof inboxItemRow>,
	price: number | null,
): number | null {
	if (quantity === null || price === null) return null;
	const each =
		cause === "oversold"
			? price
			: cause === "old_price"
				? Math.abs(price - toMicros(amount ?? 0))
				: undefined;
	return each === undefined
		? null
		: toDecimal(sumOfProducts([{ price: each, quantity: toMicros(quantity) }]));
}
