import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire } from "../rows/rows.ts";
import { defineQuery, type Query } from "./query.ts";

/** Any text: an id that no record can have is not found like any other. */
export const anyId = z.string();

const byId = z.strictObject({ id: anyId });

/** Makes the query for one record, such as `product.get`. */
export function recordQuery<Answer extends z.ZodType, Name extends string>(
	entity: Entity<z.ZodRawShape, Name>,
	answer: Answer,
	{
		summary,
		missing,
		older,
	}: { summary: string; missing: string; older?: "sale" },
): Query<typeof byId, Answer, `${Name}.get`> {
	return defineQuery({
		name: `${entity.name}.get`,
		summary,
		args: byId,
		answer,
		...(older && { older }),
		async run({ tx, businessId }, { id }) {
			const found = await findWire(tx, entity, businessId, id);
			if (!found) throw new ShopError("not_found", missing);
			return found as z.input<Answer>;
		},
	});
}
