import * as z from "zod";
import { recordId, timestamp } from "../entities/fields.ts";
import { defineQuery } from "./query.ts";
import { anyId } from "./record.ts";

/** More products than a page shows. */
const productsMax = 500;

export const lastCounted = z.object({
	productId: recordId,
	/** When its shelf was looked at; null if it never was, or nobody said how many lay there. */
	countedAt: timestamp.nullable(),
});

export const countLast = defineQuery({
	name: "count.last",
	summary: "When products were last counted, in the order of their ids",
	args: z.strictObject({ productIds: z.array(anyId).max(productsMax) }),
	answer: z.object({ products: z.array(lastCounted) }),
	async run({ tx, businessId }, { productIds }) {
		const rows = await tx.all(
			`SELECT id, look.counted_at FROM products
       LEFT JOIN (
         SELECT product_id, max(created_at) AS counted_at FROM count_looks
         WHERE business_id = ? AND counted IS NOT NULL AND deleted = 0 GROUP BY product_id
       ) AS look ON look.product_id = products.id
       WHERE business_id = ? AND id IN (SELECT value FROM json_each(?)) AND deleted = 0 ORDER BY id`,
			businessId,
			businessId,
			JSON.stringify(productIds),
		);
		return {
			products: rows.map(({ id, counted_at }) => ({
				productId: id as string,
				countedAt: counted_at as string | null,
			})),
		};
	},
});
