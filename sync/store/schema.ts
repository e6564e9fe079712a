import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a database's shape comes from; a test may bring its own. */
export interface Schema {
	/** Makes an empty database what it is today. */
	whole: string;
	/** What brings older ones up to date, by file name: the numbered steps `0009-what-it-does.sql`. */
	migrations: Readonly<Record<string, string>>;
}

const migrationsDir = join(import.meta.dirname, "migrations");

/** Read from files here, and part of the program in a browser: `schema.browser.ts`. */
export const ownSchema: Schema = {
	whole: readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8"),
	migrations: Object.fromEntries(
		readdirSync(migrationsDir).map((name) => [
			name,
			readFileSync(join(migrationsDir, name), "utf8"),
		]),
	),
};
