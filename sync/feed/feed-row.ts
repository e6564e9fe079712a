import type * as z from "zod";
import type { Entity, RowOf } from "../entities/entity.ts";
import { readerOf } from "../rows/wire.ts";

const rows = new WeakMap<Entity, z.ZodObject>();

/** An entity's row as the feed carries it: without what each database sums for itself. */
export function feedRowOf(entity: Entity): z.ZodObject {
	let row = rows.get(entity);
	if (!row) {
		const summed = (entity.summed ?? []).map((field) => [field, true]);
		row =
			summed.length > 0
				? entity.row.omit(Object.fromEntries(summed))
				: entity.row;
		rows.set(entity, row);
	}
	return row;
}

/** Removes what the feed leaves out from a row's wire form. */
export function toFeed(
	{ summed }: Entity,
	wire: Record<string, unknown>,
): Record<string, unknown> {
	if (!summed) return wire;
	const row = { ...wire };
	for (const field of summed) delete row[field];
	return row;
}

/**
 * Reads a row of the feed as a server of any version wrote it.
 *
 * @returns the row without its summed fields
 * @throws ZodError
 */
export function fromFeed<E extends Entity>(
	entity: E,
	wire: unknown,
): Partial<RowOf<E>> & { id: string } {
	return readerOf(feedRowOf(entity))(wire) as Partial<RowOf<E>> & {
		id: string;
	};
}
