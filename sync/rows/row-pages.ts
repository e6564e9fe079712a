import type { Entity } from "../entities/entity.ts";
import type { Connection, Value } from "../store/store.ts";
import { type StoredRow, selectRows } from "./rows.ts";

/**
 * All rows of an entity that match, tombstones included, by id, a page at a time: a shop of any size takes the memory of
 * few rows.
 *
 * @param where begins after the scope, and may not end in ORDER BY
 */
export async function* rowPages<E extends Entity>(
	tx: Connection,
	entity: E,
	businessId: string,
	pageRows: number,
	where = "",
	...params: Value[]
): AsyncGenerator<StoredRow<E>[]> {
	const after = (id: string) =>
		selectRows(
			tx,
			entity,
			businessId,
			`${where} AND id > ? ORDER BY id LIMIT ?`,
			...params,
			id,
			pageRows,
		);
	let last: string | undefined = "";
	while (last !== undefined) {
		const rows = await after(last);
		if (rows.length > 0) yield rows;
		// A page that is not full is the last: no other query asks whether there is one.
		last = rows.length < pageRows ? undefined : rows.at(-1)?.row.id;
	}
}
