import { ownSchema } from "#schema";
import { ShopError } from "../protocol/errors.ts";
import { newId, systemEnv } from "../protocol/ids.ts";
import type { Schema } from "./schema.ts";
import type { SqliteDatabase } from "./sqlite-connection.ts";
import { writeStatistics } from "./statistics.ts";
import type { DbRow } from "./store.ts";

/** The schema that the first step migrates from. No release had an older one. */
export const oldestVersion = 8;

/**
 * Creates the schema of an empty database, or migrates an older one, in one transaction.
 *
 * @param canMigrate false leaves an older database unchanged
 * @throws ShopError `newer_database` for a newer program's database, `not_a_database` for another program's,
 * `older_database`
 */
export async function migrate(
	db: SqliteDatabase,
	schema: Schema = ownSchema,
	canMigrate = true,
): Promise<void> {
	const newest = newestVersion(schema);
	// A current database is only read, because another process may be in a long write.
	const found = inTransaction(db, "BEGIN", () => readVersion(db));
	if (found === newest) return;
	const steps = await stepsFrom(found, schema, canMigrate);
	inTransaction(db, "BEGIN IMMEDIATE", () => {
		// Another process may have migrated it meanwhile.
		const version = readVersion(db);
		for (const step of steps)
			if (step.version > (version ?? 0)) db.exec(step.sql);
		writeStatistics(db);
		setMeta(db, "schema_version", String(newest));
		if (version === undefined) setEpoch(db);
	});
}

/** Makes it a database that was never another. */
export function setEpoch(db: SqliteDatabase): void {
	setMeta(db, "epoch", newId(systemEnv));
}

function inTransaction<T>(db: SqliteDatabase, begin: string, work: () => T): T {
	db.exec(begin);
	try {
		const result = work();
		db.exec("COMMIT");
		return result;
	} catch (error) {
		if (db.inTransaction) db.exec("ROLLBACK");
		throw error;
	}
}

interface Step {
	/** The schema that it leads to. */
	version: number;
	/** Any number of statements. */
	sql: string;
}

/**
 * Returns the steps that migrate a database, in order.
 *
 * @param version the database's schema; undefined for an empty one
 * @throws ShopError `newer_database`, or `older_database` if migrating is not allowed
 */
export async function stepsFrom(
	version: number | undefined,
	schema: Schema = ownSchema,
	canMigrate = true,
): Promise<Step[]> {
	const newest = newestVersion(schema);
	if (version === undefined) return [{ version: newest, sql: schema.whole }];
	if (version > newest)
		throw new ShopError(
			"newer_database",
			`The database has schema ${version}; this program knows up to ${newest}. Update the program.`,
		);
	if (version < newest && !canMigrate)
		throw new ShopError(
			"older_database",
			`The database has schema ${version}; this program needs ${newest}`,
		);
	return Promise.all(
		migrationSteps(schema)
			.filter((step) => step.version > version)
			.map(async (step) => ({ ...step, sql: await step.read() })),
	);
}

/** The schema that this program migrates to. */
export function newestVersion(schema: Schema = ownSchema): number {
	return migrationSteps(schema).at(-1)?.version ?? oldestVersion;
}

/** The numbered steps, such as `0009-what-it-does.sql`, in order. */
function migrationSteps({ migrations }: Schema) {
	return Object.entries(migrations)
		.filter(([name]) => /^\d{4}-.+\.sql$/.test(name))
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([name, read]) => ({ version: Number(name.slice(0, 4)), read }));
}

/**
 * @returns undefined for a database without tables
 * @throws ShopError `not_a_database` for a database of another program
 */
export function readVersion(db: SqliteDatabase): number | undefined {
	const tables = db
		.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
		.all() as { name: string }[];
	if (tables.length === 0) return undefined;
	const row = tables.some(({ name }) => name === "meta")
		? db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()
		: undefined;
	return toVersion((row as DbRow | undefined)?.value, "The file");
}

/**
 * @param value of `schema_version`; undefined for a database without one
 * @throws ShopError `not_a_database` for another program's database, and for a schema before `oldestVersion`
 */
export function toVersion(value: unknown, what: string): number {
	const version = Number(value);
	if (value === undefined || !Number.isSafeInteger(version) || version < 1)
		throw new ShopError(
			"not_a_database",
			`${what} is a database, but not one of Counterfoil's`,
		);
	if (version < oldestVersion)
		throw new ShopError(
			"not_a_database",
			`${what} has schema ${version}, from before Counterfoil's first release; this program opens schema ${oldestVersion} and later`,
		);
	return version;
}

export const setMetaSql =
	"INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

function setMeta(db: SqliteDatabase, key: string, value: string): void {
	db.prepare(setMetaSql).run(key, value);
}
