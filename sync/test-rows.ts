import type { DbRow, Store } from "./store/store.ts";

/** All that a database holds of a business: the rows of each table that has some, without the business's id, in one order. */
export async function rowsOfBusiness(
	store: Store,
	businessId: string,
): Promise<Record<string, DbRow[]>> {
	return store.read(async (tx) => {
		const tables = await tx.all(
			`SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'business_id' ORDER BY m.name`,
		);
		const rowsByTable: Record<string, DbRow[]> = {};
		for (const { name } of tables) {
			const rows = await tx.all(
				`SELECT * FROM ${name} WHERE business_id = ?`,
				businessId,
			);
			if (rows.length === 0) continue;
			rowsByTable[name as string] = rows
				.map(({ business_id: _, ...row }) => row)
				.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
		}
		return rowsByTable;
	});
}
