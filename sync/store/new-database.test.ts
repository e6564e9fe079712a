import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { newDatabase, withoutComments } from "./new-database.ts";
import { readBack, writeDown } from "./written-database.ts";

/** What a database is made of, without comments and the spaces at the ends of lines. */
function contentOf(db: Database.Database) {
	return {
		made: db
			.prepare(
				"SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name",
			)
			.all()
			.map((row) => ({
				...(row as object),
				sql: withoutComments((row as { sql: string | null }).sql ?? ""),
			})),
		statistics: db.prepare("SELECT * FROM sqlite_stat1 ORDER BY 1, 2").all(),
		meta: db.prepare("SELECT * FROM meta WHERE key <> 'epoch'").all(),
	};
}

test("the database that a browser starts with is the one that the schema makes", async () => {
	const written = writeDown(await newDatabase());
	const copy = readBack(JSON.parse(JSON.stringify(written)));
	const one = new Database(Buffer.from(copy));
	const other = new Database(":memory:");
	await migrate(other);
	expect(one.pragma("integrity_check", { simple: true })).toBe("ok");
	expect(contentOf(one)).toEqual(contentOf(other));
	expect(contentOf(one).made.length).toBeGreaterThan(150);
	for (const db of [one, other]) db.close();
});

test("the database that a browser starts with has no epoch, so that each copy gets its own and all builds are equal", async () => {
	const db = new Database(Buffer.from(await newDatabase()));
	expect(db.prepare("SELECT key FROM meta").pluck().all()).toEqual([
		"schema_version",
	]);
	db.close();
});
