import type { Entity } from "../entities/entity.ts";
import { selectWires } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { type KeyKind, placesBy } from "./place.ts";
import type { QueryContext } from "./query.ts";

interface Order<Wire> {
	/** Columns that together identify a row, all in one direction, with their types. */
	columns: Record<string, KeyKind>;
	isDescending?: boolean;
	/** Returns a row's values of these columns. */
	keyOf(row: Wire): Value[];
}

interface Part {
	/** Further conditions, each with `?` for its values. */
	where?: string;
	params?: readonly Value[];
	after: string | undefined;
	limit: number;
	/** How many rows to skip before the first. */
	offset?: number;
}

/** An order of an entity's rows. Its cursor is the key of a row, which may have been deleted since. */
export function orderOf<Wire>(
	entity: Entity,
	{ columns, isDescending = false, keyOf }: Order<Wire>,
) {
	const names = Object.keys(columns);
	const places = placesBy(Object.values(columns), keyOf);
	const orderBy = names
		.map((name) => `${name} ${isDescending ? "DESC" : "ASC"}`)
		.join(", ");
	const behind = `AND (${names.join(", ")}) ${isDescending ? "<" : ">"} (${names.map(() => "?").join(", ")})`;

	return {
		placeOf: places.placeOf,

		/** Reads rows in wire form, without tombstones. */
		async read(
			{ tx, businessId }: QueryContext,
			{ where = "", params = [], after, limit, offset = 0 }: Part,
		): Promise<Wire[]> {
			const key = places.read(after);
			return selectWires<Wire>(
				tx,
				entity,
				businessId,
				`${where} ${key ? behind : ""} ORDER BY ${orderBy} LIMIT ? OFFSET ?`,
				...params,
				...(key ?? []),
				limit,
				key ? 0 : offset,
			);
		},
	};
}
