import * as z from "zod";
import { layaway } from "../entities/layaway.ts";
import { toDecimal } from "../entities/money.ts";
import { unitsOf } from "../entities/pack-row.ts";
import { selectRows } from "../rows/rows.ts";
import { defineQuery } from "./query.ts";

export const layawayKept = defineQuery({
	name: "layaway.kept",
	summary:
		"How many of each product are kept for customers: they are still in stock",
	args: z.strictObject({}),
	answer: z.object({
		rows: z.array(z.object({ productId: z.string(), quantity: z.number() })),
	}),
	async run({ tx, businessId }) {
		const open = await selectRows(
			tx,
			layaway,
			businessId,
			"AND state = 'open' AND deleted = 0",
		);
		const kept = new Map<string, number>();
		for (const { row } of open)
			for (const line of row.items)
				if (line.productId !== null && !line.isService)
					kept.set(
						line.productId,
						(kept.get(line.productId) ?? 0) + unitsOf(line),
					);
		return {
			rows: [...kept].sort().map(([productId, quantity]) => ({
				productId,
				quantity: toDecimal(quantity),
			})),
		};
	},
});
