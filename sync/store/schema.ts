import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The source of a database's schema, which tests can replace. */
export interface Schema {
	/** Creates today's schema in an empty database. */
	whole: string;
	/** The numbered migration steps by file name, `0009-what-it-does.sql`. */
	migrations: Readonly<Record<string, string>>;
}

const migrationsDir = join(import.meta.dirname, "migrations");

/** Read from files here; `schema.browser.ts` has the texts built in. */
export const ownSchema: Schema = {
	whole: readFileSync(join(import.meta.dirname, "../../schema.sql"), "utf8"),
	migrations: Object.fromEntries(
		readdirSync(migrationsDir).map((name) => [
			name,
			readFileSync(join(migrationsDir, name), "utf8"),
		]),
	),
};
