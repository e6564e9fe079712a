import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The source of a database's schema, which tests can replace. */
export interface Schema {
	/** Creates today's schema in an empty database. */
	whole: string;
	/** What reads a numbered migration step, by file name, `0009-what-it-does.sql`. */
	migrations: Readonly<Record<string, () => Promise<string>>>;
}

const migrationsDir = join(import.meta.dirname, "migrations");

/** Read from files here; `schema.browser.ts` has the texts from the build. */
export const ownSchema: Schema = {
	whole: readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8"),
	migrations: Object.fromEntries(
		readdirSync(migrationsDir).map((name) => [
			name,
			() => readFile(join(migrationsDir, name), "utf8"),
		]),
	),
};
