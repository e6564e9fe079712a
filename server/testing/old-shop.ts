import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { newestVersion } from "../../sync/store/migrate.ts";
import { olderSchema } from "../../sync/testing/older-schema.ts";
import { databaseFile } from "../operations/database.ts";

/** The schema version before this program's. */
export const olderVersion = newestVersion() - 1;

/** Creates a database of an older version with one business. @returns its file */
export function makeOldShop(dataDir: string, version = olderVersion): string {
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	const file = databaseFile({ dataDir });
	const db = new Database(file);
	db.pragma("journal_mode = WAL");
	for (const sql of olderSchema(version, false)) db.exec(sql);
	db.exec(`INSERT INTO meta (key, value) VALUES ('epoch', 'epoch-1');
		INSERT INTO businesses (business_id, id, name, currency, time_zone, head, created_at, updated_at, version)
		VALUES ('shop-1', 'shop-1', 'Duka', 'KES', 'Africa/Nairobi', 1, '2026-11-01T09:00:00.000Z', '2026-11-01T09:00:00.000Z', 1)`);
	db.close();
	return file;
}

/** Reads one value from a database without changing it. */
export function lookUp(file: string, sql: string): unknown {
	const db = new Database(file, { readonly: true });
	try {
		return db.prepare(sql).pluck().get();
	} finally {
		db.close();
	}
}

export const schemaOf = (file: string) =>
	Number(lookUp(file, "SELECT value FROM meta WHERE key = 'schema_version'"));
