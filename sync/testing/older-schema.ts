import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { searchable } from "../entities/searchable.ts";
import { newestVersion, oldestVersion } from "../store/migrate.ts";

const oldest = readFileSync(
	join(import.meta.dirname, "../fixtures/schema-8.sql"),
	"utf8",
);

const migrations = join(import.meta.dirname, "../store/migrations");
const steps = readdirSync(migrations)
	.sort()
	.map((name) => readFileSync(join(migrations, name), "utf8"));

/** Every older schema that can be migrated: `[8, 9, …]`. */
export const olderVersions = Array.from(
	{ length: newestVersion() - oldestVersion },
	(_, i) => oldestVersion + i,
);

/**
 * Returns SQL that makes an empty database the one that a program of that schema left behind, as texts of any number of
 * statements.
 *
 * @param hasRows false leaves out the rows of `schema-8.sql`, except `schema_version`
 */
export function olderSchema(version: number, hasRows = true): string[] {
	return [
		hasRows ? oldest : oldest.slice(0, oldest.indexOf("INSERT INTO")),
		...steps.slice(0, version - oldestVersion),
		hasRows
			? `UPDATE meta SET value = '${version}' WHERE key = 'schema_version'`
			: `INSERT INTO meta (key, value) VALUES ('schema_version', '${version}')`,
	];
}

type Rows = Record<string, unknown[]>;

/** Columns that a step renames, as [table, old name, new name]. */
const renamed = [
	["ai_months", "key_id", "account"],
	["ended_sessions", "digest", "id"],
] as const;

/** Columns that a list or table of limits has replaced, by table; migrate.test.ts looks at them. */
const replaced: Record<string, string[]> = {
	businesses: [
		"cashier_discount_max",
		"cashier_refund_max",
		"cashier_cash_out_max",
	],
	api_keys: ["monthly_budget", "requests_per_minute"],
	ai_access: ["ceiling", "app_budget", "app_requests_per_minute"],
};

/** Expects every row from before an upgrade, complete, among the rows after it. */
export function expectKept(before: Rows, after: Rows): void {
	for (const [table, rows] of Object.entries(before)) {
		// Statistics are written again.
		if (table.startsWith("sqlite_")) continue;
		// The next report adds the sums up again.
		if (/^tall(ies|y)/.test(table)) continue;
		for (const row of rows as Record<string, unknown>[]) {
			for (const [of, from, to] of renamed)
				if (of === table && from in row) {
					row[to] = row[from];
					delete row[from];
				}
			for (const column of replaced[table] ?? []) delete row[column];
			if ("search_name" in row) row.search_name = searchable(`${row.name}`);
			// The upgrade counts the receipts that a window printed, and updates the version.
			if (table === "replica") row.last_receipt = 41;
			if (row.key === "schema_version") row.value = String(newestVersion());
			// A sale's movement is its line.
			if (table === "stock_movements" && row.reason === "sale") continue;
			// The views have what is in these.
			if (table === "stored_sales" || table === "stored_lines") continue;
			expect(after[table]).toContainEqual(expect.objectContaining(row));
		}
	}
}
