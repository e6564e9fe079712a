import type { Entity } from "../../sync/entity.ts";
import { present, selectRows } from "../../sync/rows.ts";
import type { Connection, Value } from "../../sync/store/store.ts";

/** Live rows of a business in the form that the API shows. `where` begins after the scope. */
export async function selectWires(
	tx: Connection,
	entity: Entity,
	businessId: string,
	where: string,
	...params: Value[]
): Promise<Record<string, unknown>[]> {
	const found = await selectRows(
		tx,
		entity,
		businessId,
		`AND deleted = 0 ${where}`,
		...params,
	);
	const rows = found.map(({ row }) => row);
	return present(tx, entity, businessId, rows);
}
