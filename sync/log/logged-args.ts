import { sale } from "../entities/sale.ts";
import { spellArgs } from "../entities/sale-args.ts";
import { selectRows } from "../rows/rows.ts";
import { storedSales } from "../rows/stored-sales.ts";
import type { Connection, DbRow } from "../store/store.ts";

/*
 * The log keeps a sale's arguments in the sale's own row, which never changes, and the text only where the row can't spell
 * it. A link of the chain is of the text, so that a sale that somebody changed in the database breaks the chain.
 */

const isSpelled = ({ args, shape }: DbRow) => args === "" && shape !== null;

/** Sales are read this many at a time. */
const chunk = 100;

/**
 * Fills in the arguments of rows of the log.
 *
 * @param rows with `args`, `shape` and `version`
 */
export async function spellLogged<Row extends DbRow>(
	tx: Connection,
	businessId: string,
	rows: readonly Row[],
): Promise<Row[]> {
	const spelled = new Map<unknown, string>();
	const kept = rows.filter(isSpelled);
	for (let start = 0; start < kept.length; start += chunk) {
		const part = kept.slice(start, start + chunk);
		const shapes = new Map(part.map((row) => [row.version, Number(row.shape)]));
		const versions = [...shapes.keys()];
		// Padding keeps the number of distinct statements at two.
		while (versions.length > 1 && versions.length < chunk)
			versions.push(versions.at(-1) as number);
		const sales = await selectRows(
			tx,
			sale,
			businessId,
			`AND version IN (${versions.map(() => "?").join(", ")})`,
			...(versions as number[]),
		);
		for (const { row, version } of sales)
			spelled.set(version, spellArgs(row, shapes.get(version) ?? 0));
	}
	return rows.map((row) =>
		isSpelled(row) ? { ...row, args: spelled.get(row.version) ?? "null" } : row,
	);
}

const entryColumns = [
	...["id", "name", "args_version", "at", "received_at", "user_id"],
	...["device_id", "status", "version", "carrier_id", "link", "device_at"],
];

/** Writes every mutation's arguments into the log, before the versions of the sales that spell them change. */
export async function writeOutArgs(
	tx: Connection,
	businessId: string,
): Promise<void> {
	for (;;) {
		const rows = await tx.all(
			`SELECT ${entryColumns.join(", ")}, args, shape FROM mutations WHERE business_id = ? AND shape IS NOT NULL LIMIT ?`,
			businessId,
			chunk,
		);
		if (rows.length === 0) return;
		for (const row of await spellLogged(tx, businessId, rows)) {
			await tx.run(
				`INSERT INTO stored_mutations (business_id, args, ${entryColumns.join(", ")})
         VALUES (?, ?, ${entryColumns.map(() => "?").join(", ")})
         ON CONFLICT (business_id, id) DO UPDATE SET args = excluded.args, shape = NULL`,
				businessId,
				row.args ?? null,
				...entryColumns.map((column) => row[column] ?? null),
			);
			await tx.run(
				`UPDATE stored_sales SET shape = NULL, mutation_id = NULL, received_after = NULL, link = NULL
         WHERE ${storedSales.scope} AND version = ?`,
				businessId,
				row.version ?? null,
			);
		}
	}
}
