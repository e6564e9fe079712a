import { statSync } from "node:fs";
import { join } from "node:path";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Store } from "../../sync/store/store.ts";
import { SettingsError } from "../settings-error.ts";

/** Where an installation's shops are: in a file of its data directory, or on a PostgreSQL server. */
export interface DatabasePlace {
	dataDir: string;
	databaseUrl: string | undefined;
}

/** The database of an installation that has it in a file. */
export function databaseFile({
	dataDir,
}: Pick<DatabasePlace, "dataDir">): string {
	return join(dataDir, "counterfoil.db");
}

/** True where the database should be a file, and there is none with anything in it. */
export function isDatabaseMissing(place: DatabasePlace): boolean {
	if (place.databaseUrl !== undefined) return false;
	const found = statSync(databaseFile(place), { throwIfNoEntry: false });
	return found === undefined || found.size === 0;
}

/** @throws SettingsError that does not repeat it: it may hold a password */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
	const url = env.DATABASE_URL?.trim();
	if (!url) return undefined;
	if (!isDatabaseUrl(url))
		throw new SettingsError(
			"DATABASE_URL: must be postgres://USER:PASSWORD@HOST/DATABASE",
		);
	return url;
}

/** True for the URL of a PostgreSQL server. */
export function isDatabaseUrl(text: string): boolean {
	return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? "");
}

/**
 * Opens the database, or makes one where there is none.
 *
 * @param canMigrate true for the server alone: a command must not change the schema under it
 * @throws ShopError `older_database`, `newer_database`, `not_a_database`, `storage_*`
 */
export async function openDatabase(
	place: DatabasePlace,
	{ canMigrate }: { canMigrate: boolean },
): Promise<Store> {
	if (place.databaseUrl === undefined)
		return openSqlite(databaseFile(place), { canMigrate });
	// Most installations never need its driver.
	const { openPostgres } = await import("../../sync/store/postgres.ts");
	return openPostgres(place.databaseUrl, { canMigrate });
}

/** How much there is of it. */
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

/** What it is called in messages: without a password, and without what else may be in a URL. */
export function databaseName(place: DatabasePlace): string {
	const url = URL.parse(place.databaseUrl ?? "");
	if (!url) return databaseFile(place);
	return `${url.protocol}//${url.host}${url.pathname}`;
}
