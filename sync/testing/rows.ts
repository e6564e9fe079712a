import { sale } from "../entities/sale.ts";
import { selectRows } from "../rows/rows.ts";
import { storedSales } from "../rows/stored-sales.ts";
import type { DbRow, Store } from "../store/store.ts";
import { addBusiness } from "./shop.ts";

/** Reads all rows of a business by table, sorted and without the business's id. */
export async function rowsOfBusiness(
	store: Store,
	businessId: string,
): Promise<Record<string, DbRow[]>> {
	return store.read(async (tx) => {
		const tables = await tx.all(
			`SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.name NOT IN ('shops', 'stock_ledger', 'stored_mutations') AND c.name = 'business_id' ORDER BY m.name`,
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

/**
 * Copies a business in the same database to another one, under the same ids.
 *
 * @returns its rows
 */
export async function addTwin(
	store: Store,
	businessId: string,
	twinId: string,
): Promise<Record<string, DbRow[]>> {
	const rowsByTable = await rowsOfBusiness(store, businessId);
	await store.write(async (tx) => {
		// Lines are inserted before their parents.
		await tx.run("PRAGMA defer_foreign_keys = ON");
		await addBusiness(tx, twinId);
		const { businesses, sales, sale_items, ...others } = rowsByTable;
		for (const [name, rows] of Object.entries(others))
			for (const row of rows) {
				const table = name === "mutations" ? "stored_mutations" : name;
				const names = ["business_id", ...Object.keys(row)];
				await tx.run(
					`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
					twinId,
					...Object.values(row),
				);
			}
		for (const stored of await selectRows(tx, sale, businessId, ""))
			await storedSales.insert(tx, twinId, stored);
	});
	return rowsOfBusiness(store, twinId);
}
