import {
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId, systemEnv } from "../protocol/ids.ts";
import { readMeta } from "../store/meta.ts";
import { openPostgres } from "../store/postgres.ts";
import { openSqlite } from "../store/sqlite.ts";
import type { Store } from "../store/store.ts";
import { makeDatabase } from "./postgres.ts";
import { type StoreKind, storeKind } from "./store-kind.ts";

/** PostgreSQL databases in place of files. */
const urls = new Map<string, Promise<string>>();

/** Returns the database in place of a test's file, the same one for the same file. */
export function urlOfFile(file: string): Promise<string> {
	const url = urls.get(file) ?? makeDatabase();
	urls.set(file, url);
	return url;
}

/** An empty database, and where its epoch is. Making a schema takes as long as the rest of many a test. */
let empty: Promise<{ bytes: Buffer; epochAt: number }> | undefined;

async function makeEmpty(): Promise<{ bytes: Buffer; epochAt: number }> {
	const dir = mkdtempSync(join(tmpdir(), "counterfoil-"));
	const file = join(dir, "empty.db");
	const store = await openSqlite(file);
	const epoch = await store.read((tx) => readMeta(tx, "epoch"));
	await store.close();
	const bytes = readFileSync(file);
	rmSync(dir, { recursive: true });
	return { bytes, epochAt: bytes.indexOf(String(epoch)) };
}

/** Creates a database file as a copy of an empty one, with its own epoch. */
export async function makeTestFile(file: string): Promise<void> {
	empty ??= makeEmpty();
	const { bytes, epochAt } = await empty;
	const copy = Buffer.from(bytes);
	copy.write(newId(systemEnv), epochAt);
	writeFileSync(file, copy, { mode: 0o600 });
}

/** Opens a database file, or creates it. */
export async function openTestFile(file: string): Promise<Store> {
	if (!existsSync(file)) await makeTestFile(file);
	return openSqlite(file);
}

/** Opens a server's database, in a file or in PostgreSQL. */
export async function openTestStore(
	file: string,
	kind: StoreKind = storeKind,
): Promise<Store> {
	return kind === "postgres"
		? openPostgres(await urlOfFile(file))
		: openTestFile(file);
}

/**
 * Copies a snapshot of all rows.
 *
 * @returns false for a file, which is copied in another way
 */
export async function copyTestStore(
	from: Store,
	fromFile: string,
	toFile: string,
): Promise<boolean> {
	if (!urls.has(fromFile)) return false;
	const to = await openTestStore(toFile, "postgres");
	try {
		await from.read(async (source) => {
			const tables = await source.all(
				// Tables in the order of their creation: referenced tables come first.
				"SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY oid",
			);
			await to.write(async (target) => {
				await target.run("DELETE FROM meta");
				for (const { name } of tables)
					for (const row of await source.all(`SELECT * FROM ${name}`)) {
						const columns = Object.keys(row);
						await target.run(
							`INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
							...Object.values(row),
						);
					}
			});
		});
	} finally {
		await to.close();
	}
	return true;
}
