import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { entities } from "../entities/index.ts";

const file = join(import.meta.dirname, "../../schema.sql");
const schema = readFileSync(file, "utf8");

interface Column {
	name: string;
	pk: number;
}

function openFresh() {
	const db = new Database(":memory:");
	db.exec(schema);
	const tables = db
		.prepare(
			"SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
		)
		.pluck()
		.all() as string[];
	const columnsOf = (table: string) =>
		db
			.prepare(`SELECT name, pk FROM pragma_table_xinfo(?)`)
			.all(table) as Column[];
	return { tables, columnsOf };
}

/** Tables that belong to the installation and not to a business. */
const global = [
	"admins",
	"attempts",
	"ended_sessions",
	"meta",
	"sessions",
	"shops",
	"users",
];
/** Tables that name their business by its number. */
const numbered = [
	...[
		"names",
		"line_taxes",
		"line_units",
		"stored_lines",
		"stored_sales",
		"tally_days",
	],
];

describe("schema.sql on SQLite", () => {
	test("the schema creates every table", () => {
		const { tables } = openFresh();
		for (const table of [
			...["users", "admins", "businesses", "memberships", "categories"],
			...[
				"products",
				"stored_sales",
				"stored_lines",
				"stock_movements",
				"stored_mutations",
			],
			...["devices", "notifications", "notification_preferences", "reviews"],
		])
			expect(tables).toContain(table);
	});

	test("every key of business data starts with the business's id or number", () => {
		const { tables, columnsOf } = openFresh();
		for (const table of tables.filter((name) => !global.includes(name))) {
			const first = columnsOf(table).find(({ pk }) => pk === 1)?.name;
			expect({ table, first }).toEqual({
				table,
				first: numbered.includes(table) ? "shop" : "business_id",
			});
		}
	});

	test.each(
		entities.flatMap(({ name, table, row, lines }) => [
			[
				name,
				table,
				Object.keys(row.shape).filter((field) => field !== lines?.field),
			],
			...(lines
				? [
						[
							`${name}.${lines.field}`,
							lines.table,
							Object.keys(lines.row.shape),
						],
					]
				: []),
		]) as [string, string, string[]][],
	)("has a column for each field of %s", (_name, table, fields) => {
		const columns = openFresh()
			.columnsOf(table)
			.map(({ name }) => name);
		const wanted = fields.map((field) =>
			field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
		);
		expect(columns).toEqual(expect.arrayContaining(wanted));
	});
});
