import * as z from "zod";
import type { Entity } from "../entities/entity.ts";
import { isStorable } from "../entities/fields.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire } from "../rows/rows.ts";
import { defineQuery, type Query } from "./query.ts";

/** More than the longest, of a sold line's movement: its sale's id and its position. */
const idMax = 100;
const noId = "\uFFFD".repeat(idMax + 1);

/** Any text: an id that no record can have is not found like any other. PostgreSQL takes no NUL in a list of ids, and SQLite no long pattern. */
export const anyId = z
	.string()
	.overwrite((id) => (id.length <= idMax && isStorable(id) ? id : noId));

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
