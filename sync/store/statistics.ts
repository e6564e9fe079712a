import type { SqliteDatabase } from "./sqlite-connection.ts";

/*
 * SQLite chooses plans by statistics, and without any it takes the first column of a key for selective: it would read all lines of
 * a shop in place of a sale's. A shop's tables look alike, so the figures of a large one are given to every database, and no
 * plan changes as a shop grows.
 */

/** Rows of a table, and by index the rows with equal first columns, first two columns, and so on. */
const figures: Record<string, Record<string, string>> = {
	shops: { sqlite_autoindex_shops_1: "10 1", sqlite_autoindex_shops_2: "10 1" },
	names: {
		names: "100000 50000 1",
		sqlite_autoindex_names_2: "100000 50000 1",
	},
	stored_sales: {
		stored_sales: "1000000 500000 1",
		sales_by_id: "1000000 500000 1",
		sales_by_mutation: "1000000 500000 1",
		sales_by_version: "1000000 500000 1",
		sales_by_time: "1000000 500000 2",
		sales_by_day: "1000000 500000 1000",
	},
	stored_lines: {
		stored_lines: "3000000 1500000 3 1",
		lines_by_product: "3000000 1500000 100",
	},
};

const rows = Object.entries(figures).flatMap(([table, indexes]) =>
	Object.entries(indexes).map(
		([index, figures]) => `('${table}', '${index}', '${figures}')`,
	),
);

/** Replaces a database's statistics. */
export function writeStatistics(db: SqliteDatabase): void {
	// The first makes the table, the second reads it.
	db.exec("ANALYZE sqlite_schema");
	db.exec("DELETE FROM sqlite_stat1");
	db.exec(
		`INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ${rows.join(", ")}`,
	);
	db.exec("ANALYZE sqlite_schema");
}
