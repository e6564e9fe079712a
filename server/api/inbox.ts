import * as z from "zod";
import {
	type InboxItem,
	inboxItem,
	inboxItemRow,
} from "../../sync/entities/inbox.ts";
import { sumOfProducts, toDecimal, toMicros } from "../../sync/money.ts";
import { selectWires } from "../../sync/rows.ts";
import { queryCount } from "../input.ts";
import { type Deps, operation, type Routes } from "../routes.ts";

const listedItem = inboxItemRow
	.extend({
		receiptNumber: z.string().nullable(),
		productName: z.string().nullable(),
		devicePrefix: z.string().nullable(),
		/**
		 * What was oversold at the price it was sold at, what an old price took too much or too little, or all of what a wrong
		 * clock dated; null for the rest.
		 */
		moneyAtStake: z.number().nullable(),
	})
	.meta({ id: "InboxItem" });

const pageMax = 200;

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
						const rows = (await selectWires(
							tx,
							inboxItem,
							businessId,
							"ORDER BY version DESC, id LIMIT ? OFFSET ?",
							Math.min(query.limit, pageMax),
							query.offset,
						)) as unknown as InboxItem[];
						const items = [];
						for (const row of rows) {
							const found = await tx.get(
								`SELECT (SELECT receipt_number FROM sales WHERE business_id = ? AND id = ?) AS receipt,
                   (SELECT name FROM products WHERE business_id = ? AND id = ?) AS name,
                   (SELECT selling_price FROM products WHERE business_id = ? AND id = ?) AS price,
                   (SELECT price FROM sale_items WHERE business_id = ? AND sale_id = ? AND product_id = ? ORDER BY position DESC LIMIT 1) AS sold,
                   (SELECT prefix FROM devices WHERE business_id = ? AND id = ?) AS prefix`,
								...[businessId, row.saleId],
								...[businessId, row.productId],
								...[businessId, row.productId],
								...[businessId, row.saleId, row.productId],
								...[businessId, row.deviceId],
							);
							items.push({
								...row,
								receiptNumber: found?.receipt ?? null,
								productName: found?.name ?? null,
								devicePrefix: found?.prefix ?? null,
								moneyAtStake: atStake(
									row,
									found?.price as number | null,
									found?.sold as number | null,
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

/** Where a product fills several lines of a sale, the last is the one that there was not enough for. */
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
