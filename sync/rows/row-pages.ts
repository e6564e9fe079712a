import type { Entity } from "../entities/entity.ts";
import type { Connection, Value } from "../store/store.ts";
import { type StoredRow, selectRows } from "./rows.ts";

/**
 * Reads all matching rows of an entity by id, including tombstones, a page at a time, so that a shop of any size needs
 * the memory of few rows.
 *
 * @param where further conditions, appended to the scope's; without ORDER BY
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
		// A short page is the last one, which saves a query.
		last = rows.length < pageRows ? undefined : rows.at(-1)?.row.id;
	}
}
