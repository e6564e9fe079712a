import { statSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Store } from "../../sync/store/store.ts";
import { SettingsError } from "../environment.ts";

/** The location of an installation's database: a file in its data directory, or a PostgreSQL server. */
export interface DatabasePlace {
	dataDir: string;
	databaseUrl: string | undefined;
}

/** The path of an installation's database file. */
export function databaseFile({
	dataDir,
}: Pick<DatabasePlace, "dataDir">): string {
	return join(dataDir, "counterfoil.db");
}

/** True if the database should be a file that is missing or empty. */
export function isDatabaseMissing(place: DatabasePlace): boolean {
	if (place.databaseUrl !== undefined) return false;
	const found = statSync(databaseFile(place), { throwIfNoEntry: false });
	return found === undefined || found.size === 0;
}

/** Reads DATABASE_URL. @throws SettingsError that doesn't repeat the value, which may contain a password */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
	const url = env.DATABASE_URL?.trim();
	if (!url) return undefined;
	if (!isDatabaseUrl(url))
		throw new SettingsError(
			"DATABASE_URL: must be postgres://USER:PASSWORD@HOST/DATABASE",
		);
	return url;
}

/** Whether a text is the URL of a PostgreSQL database. */
export function isDatabaseUrl(text: string): boolean {
	return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "");
}

/**
 * Opens the database, or creates it.
 *
 * @param canMigrate true only for the server: a command must not change the schema under a running server
 * @throws ShopError `older_database`, `newer_database`, `not_a_database`, `storage_*`
 */
export async function openDatabase(
	place: DatabasePlace,
	{ canMigrate }: { canMigrate: boolean },
): Promise<Store> {
	if (place.databaseUrl === undefined)
		return openSqlite(databaseFile(place), { canMigrate });
	// Load the driver only if needed; most installations use SQLite.
	const { openPostgres } = await import("../../sync/store/postgres.ts");
	return openPostgres(place.databaseUrl, { canMigrate });
}

/** The database's size in bytes. */
export async function databaseBytes(
	place: DatabasePlace,
	store: Store,
): Promise<number> {
	if (place.databaseUrl === undefined)
		return statSync(databaseFile(place)).size;
	const row = await store.read((tx) =>
		tx.get("SELECT pg_database_size(current_database()) AS bytes"),
	);
	return Number(row?.bytes);
}

/** The database's name for messages, without password and URL parameters. */
export function databaseName(place: DatabasePlace): string {
	const url = URL.parse(place.databaseUrl ?? "");
	if (!url) return databaseFile(place);
	return `${url.protocol}//${url.host}${url.pathname}`;
}
