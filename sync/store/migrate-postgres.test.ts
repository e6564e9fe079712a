import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { sampled } from "../testing/lane.ts";
import {
	expectKept,
	olderSchema,
	olderVersions,
} from "../testing/older-schema.ts";
import {
	hasPostgres,
	makeDatabase,
	wherePostgres,
} from "../testing/postgres.ts";
import { newestVersion, setMetaSql } from "./migrate.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { openPostgres } from "./postgres.ts";
import {
	connectPostgres,
	type PostgresConnection,
} from "./postgres-connection.ts";
import { toPostgresSchema } from "./postgres-sql.ts";
import { ownSchema } from "./schema.ts";

async function openEmpty() {
	const url = await makeDatabase("empty");
	const db = await connectPostgres(url);
	onTestFinished(() => db.end());
	const meta = async (key: string) =>
		(await db.get("SELECT value FROM meta WHERE key = ?", key))?.value;
	return { url, db, meta };
}

describe.skipIf(!hasPostgres)(`a PostgreSQL database ${wherePostgres}`, () => {
	test("a PostgreSQL database has the same tables and columns as a file, and compares text by bytes", async () => {
		const { db } = await openEmpty();
		await migratePostgres(db);
		const columns = await db.all(
			"SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN (SELECT table_name FROM information_schema.views)",
		);
		expect(columns.map(({ name }) => name).sort()).toEqual(columnsOfFile());
		const others = await db.all(
			"SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'",
		);
		expect(others).toEqual([]);
	});

	test("every key of business data in PostgreSQL starts with the business's id or number", async () => {
		const { db } = await openEmpty();
		await migratePostgres(db);
		const keys = await db.all(
			`SELECT relname, attname FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indisprimary AND relnamespace = 'public'::regnamespace`,
		);
		const elsewhere = keys.filter(
			({ attname }) => attname !== "business_id" && attname !== "shop",
		);
		expect(elsewhere.map(({ relname }) => relname).sort()).toEqual([
			"admins",
			"attempts",
			"ended_sessions",
			"meta",
			"sessions",
			"shops",
			"users",
		]);
	});

	test.each(sampled(olderVersions, 4))(
		"a PostgreSQL database of schema %i is migrated to the schema of a new one, with its rows",
		async (version) => {
			const old = await openEmpty();
			for (const sql of olderSchema(version))
				await old.db.exec(toPostgresSchema(sql));
			const before = await rowsOf(old.db);
			await migratePostgres(old.db);
			const fresh = await openEmpty();
			await migratePostgres(fresh.db);
			expect(await shapeOf(old.db)).toEqual(await shapeOf(fresh.db));
			// A connection plans a statement once, for the columns that the table has then.
			const again = await connectPostgres(old.url);
			onTestFinished(() => again.end());
			expectKept(before, await rowsOf(again));
		},
	);

	test("processes that start together create a PostgreSQL schema once", async () => {
		const { url, meta } = await openEmpty();
		const stores = await Promise.all([1, 2, 3].map(() => openPostgres(url)));
		const epochs = await Promise.all(
			stores.map((store) =>
				store.read((tx) =>
					tx.get("SELECT value FROM meta WHERE key = 'epoch'"),
				),
			),
		);
		for (const store of stores) await store.close();
		expect(new Set(epochs.map((row) => row?.value))).toEqual(
			new Set([await meta("epoch")]),
		);
	});

	test("a PostgreSQL database keeps its version and epoch when it is opened again", async () => {
		const { db, meta } = await openEmpty();
		await migratePostgres(db);
		const before = [await meta("epoch"), await meta("schema_version")];
		await migratePostgres(db);
		expect([await meta("epoch"), await meta("schema_version")]).toEqual(before);
		expect(before[1]).toBe(String(newestVersion()));
	});

	test("a PostgreSQL database of a newer program is refused with advice", async () => {
		const { url, db } = await openEmpty();
		await migratePostgres(db);
		await db.run(setMetaSql, "schema_version", "9999");
		await expect(openPostgres(url)).rejects.toMatchObject({
			code: "newer_database",
		});
	});

	test("a PostgreSQL database of an older program is left unchanged if migrating is not allowed", async () => {
		const { url, db, meta } = await openEmpty();
		for (const sql of olderSchema(8)) await db.exec(toPostgresSchema(sql));
		await expect(
			openPostgres(url, { canMigrate: false }),
		).rejects.toMatchObject({ code: "older_database" });
		expect(await meta("schema_version")).toBe("8");
	});

	test("a PostgreSQL database of another program is refused and left unchanged", async () => {
		const { url, db } = await openEmpty();
		await db.exec("CREATE TABLE recipes (name TEXT)");
		await expect(openPostgres(url)).rejects.toMatchObject({
			code: "not_a_database",
		});
		expect(await db.all("SELECT name FROM recipes")).toEqual([]);
	});

	test("a PostgreSQL database is unchanged after a failed migration step", async () => {
		const { db } = await openEmpty();
		await db.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)");
		await db.run(setMetaSql, "schema_version", "8");
		// The first step alters tables that do not exist.
		await expect(migratePostgres(db)).rejects.toThrow("does not exist");
		expect(
			await db.all(
				"SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
			),
		).toEqual([{ table_name: "meta" }]);
	});
});

function columnsOfFile(): string[] {
	const db = new Database(":memory:");
	db.exec(ownSchema.whole);
	const columns = db
		.prepare(
			"SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'",
		)
		.pluck()
		.all() as string[];
	return columns.sort();
}

async function rowsOf(db: PostgresConnection) {
	const tables = await db.all(
		"SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relnamespace = 'public'::regnamespace",
	);
	const rows: Record<string, unknown[]> = {};
	for (const { relname } of tables)
		rows[String(relname)] = await db.all(`SELECT * FROM ${relname}`);
	return rows;
}

/** Columns, keys and indexes by their definitions. */
async function shapeOf(db: PostgresConnection) {
	return [
		await db.all(
			`SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default
       FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, column_name`,
		),
		await db.all(
			"SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef",
		),
		await db.all(
			`SELECT conrelid::regclass::text AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace ORDER BY name, definition`,
		),
	];
}
