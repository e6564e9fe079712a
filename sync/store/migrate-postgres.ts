import { ownSchema } from "#schema";
import { newId, systemEnv } from "../protocol/ids.ts";
import { newestVersion, setMetaSql, stepsFrom, toVersion } from "./migrate.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { toPostgresSchema } from "./postgres-sql.ts";
import type { Schema } from "./schema.ts";

/** An arbitrary key of an advisory lock: processes that start together wait for the one that creates the tables. */
const lockKey = 4_780_002;

/**
 * Creates the schema of an empty database, or migrates an older one, in one transaction, with the same steps as on
 * SQLite.
 *
 * @param canMigrate false leaves an older database unchanged
 * @throws ShopError `newer_database`, `older_database`, `not_a_database`
 */
export async function migratePostgres(
	db: PostgresConnection,
	schema: Schema = ownSchema,
	canMigrate = true,
): Promise<void> {
	const newest = newestVersion(schema);
	db.begin("ISOLATION LEVEL READ COMMITTED");
	try {
		await db.get("SELECT pg_advisory_xact_lock(?)", lockKey);
		const version = await readPostgresVersion(db);
		const steps =
			version === newest ? [] : await stepsFrom(version, schema, canMigrate);
		for (const { sql } of steps) await db.exec(toPostgresSchema(sql));
		if (steps.length > 0)
			await db.run(setMetaSql, "schema_version", String(newest));
		if (version === undefined)
			await db.run(setMetaSql, "epoch", newId(systemEnv));
		await db.commit();
	} catch (error) {
		db.send("ROLLBACK");
		throw error;
	}
}

/**
 * @returns undefined for a database without tables
 * @throws ShopError `not_a_database` for a database of another program
 */
export async function readPostgresVersion(
	db: PostgresConnection,
): Promise<number | undefined> {
	const rows = await db.all(
		"SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
	);
	if (rows.length === 0) return undefined;
	const isOurs = rows.some(({ table_name }) => table_name === "meta");
	const row = isOurs
		? await db.get("SELECT value FROM meta WHERE key = 'schema_version'")
		: undefined;
	return toVersion(row?.value, "This");
}
