import { execFile, execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { entities } from "../entities/index.ts";
import { testDir } from "../test-shop.ts";

const file = join(import.meta.dirname, "../../schema.sql");
const schema = readFileSync(file, "utf8");
const run = promisify(execFile);

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

/** Tables that belong to the installation, not to a business. */
const global = ["admins", "ended_sessions", "meta", "users"];

describe("schema.sql on SQLite", () => {
	test("makes every table that the shop is made of", () => {
		const { tables } = openFresh();
		for (const table of [
			...["users", "admins", "businesses", "memberships", "categories"],
			...["products", "sales", "sale_items", "stock_movements", "mutations"],
			...["devices", "notifications", "notification_preferences", "reviews"],
		])
			expect(tables).toContain(table);
	});

	test("begins every key of business data with business_id", () => {
		const { tables, columnsOf } = openFresh();
		for (const table of tables.filter((name) => !global.includes(name))) {
			const first = columnsOf(table).find(({ pk }) => pk === 1);
			expect(`${table}: ${first?.name}`).toBe(`${table}: business_id`);
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

/** The folder of a PostgreSQL's programs, where this machine has one. */
function findPostgres(): string | undefined {
	const debian = "/usr/lib/postgresql";
	const versions = existsSync(debian) ? readdirSync(debian) : [];
	return [
		process.env.PG_BIN ?? "",
		...versions
			.toSorted((a, b) => Number(b) - Number(a))
			.map((v) => join(debian, v, "bin")),
		...(process.env.PATH ?? "").split(":"),
	].find((dir) => dir !== "" && existsSync(join(dir, "initdb")));
}

const postgres = findPostgres();

describe("schema.sql on PostgreSQL", () => {
	test.skipIf(postgres === undefined)(
		"makes the same tables with the same columns (skipped where no PostgreSQL is found)",
		async () => {
			const bin = postgres as string;
			const dir = testDir();
			chmodSync(dir, 0o777);
			// PostgreSQL refuses to run as root.
			const isRoot = process.getuid?.() === 0;
			const as = (program: string, args: string[]) =>
				isRoot
					? run("setpriv", [...nobody, join(bin, program), ...args], {
							cwd: dir,
						})
					: run(join(bin, program), args, { cwd: dir });
			const data = join(dir, "data");
			await as("initdb", [
				"-D",
				data,
				"-U",
				"shop",
				"--auth=trust",
				"-E",
				"UTF8",
			]);
			const options = `-c listen_addresses= -c unix_socket_directories=${dir}`;
			await as("pg_ctl", [
				"-D",
				data,
				"-o",
				options,
				"-l",
				join(dir, "log"),
				"-w",
				"start",
			]);
			try {
				const psql = (...args: string[]) =>
					as("psql", [
						"-h",
						dir,
						"-U",
						"shop",
						"-v",
						"ON_ERROR_STOP=1",
						"-At",
						...args,
						"postgres",
					]);
				// Where the checkout lies, that user may not read.
				const copy = join(dir, "schema.sql");
				writeFileSync(copy, schema, { mode: 0o644 });
				await psql("-f", copy);
				const { stdout } = await psql(
					"-c",
					"SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'",
				);
				const { tables, columnsOf } = openFresh();
				const expected = tables.flatMap((table) =>
					columnsOf(table).map(({ name }) => `${table}.${name}`),
				);
				expect(stdout.trim().split("\n").sort()).toEqual(expected.sort());
			} finally {
				await as("pg_ctl", ["-D", data, "-m", "immediate", "-w", "stop"]);
			}
		},
	);
});

/** As the user that the system keeps for such. */
const nobody = (() => {
	if (process.getuid?.() !== 0) return [];
	const id = (flag: string) =>
		execFileSync("id", [flag, "nobody"], { encoding: "utf8" }).trim();
	return [`--reuid=${id("-u")}`, `--regid=${id("-g")}`, "--clear-groups"];
})();
