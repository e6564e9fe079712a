import Database from "better-sqlite3";
import { migrate } from "./migrate.ts";
import { ownSchema } from "./schema.ts";

/** Comments are half of the schema's text, and no browser reads them. */
export const withoutComments = (sql: string): string =>
	sql
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => !line.startsWith("--"))
		.join("\n");

/**
 * The content of a new database. A browser starts with a copy, because it would take a tenth of a second to create the
 * tables, while nobody can sell. `new-database.browser.ts` has it from the build.
 */
export function newDatabase(): Promise<Uint8Array> {
	made ??= make();
	return made;
}

let made: Promise<Uint8Array> | undefined;

async function make(): Promise<Uint8Array> {
	const db = new Database(":memory:");
	try {
		const whole = withoutComments(ownSchema.whole);
		await migrate(db, { ...ownSchema, whole });
		// Each copy gets its own, and two builds of a release are equal.
		db.exec("DELETE FROM meta WHERE key = 'epoch'; VACUUM");
		return new Uint8Array(db.serialize());
	} finally {
		db.close();
	}
}
