import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
	type DatabasePlace,
	databaseFile,
	databaseName,
	openDatabase,
	readDatabaseUrl,
} from "../../server/operations/database.ts";
import { listBusinesses } from "../../server/operations/installation/businesses.ts";
import { openShop, type SyncServer } from "../../sync/shop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import type { Store } from "../../sync/store/store.ts";
import { CommandError } from "./error.ts";
import { withAdvice } from "./storage-advice.ts";

/**
 * Opens the shop of `DATA_DIR` for as long as `work` takes. A server may run on it at the same time.
 *
 * @throws CommandError where there is none, and it is not to be made
 */
export async function withShop<T>(
	{ create }: { create: boolean },
	work: (shop: SyncServer) => Promise<T>,
): Promise<T> {
	const place = databasePlace();
	if (!create && !isThere(place))
		throw new CommandError(`There is no shop in ${place.dataDir} (DATA_DIR)`);
	return withOpened(
		databaseName(place),
		() => openDatabase(place, { canMigrate: false }),
		(store) => work(openShop({ store })),
	);
}

/** @throws CommandError where this user may not know */
function isThere(place: DatabasePlace): boolean {
	if (place.databaseUrl !== undefined) return true;
	try {
		const found = statSync(databaseFile(place), { throwIfNoEntry: false });
		return found !== undefined;
	} catch (error) {
		const { message } = error as NodeJS.ErrnoException;
		throw new CommandError(
			`${place.dataDir} (DATA_DIR) can't be looked into: ${message}`,
		);
	}
}

/** Where the installation has its database. */
export function databasePlace(): DatabasePlace {
	return {
		dataDir: dataDirectory(),
		databaseUrl: readDatabaseUrl(process.env),
	};
}

/**
 * For what works on a database file.
 *
 * @throws CommandError where the database is PostgreSQL's, saying what does it there
 */
export function assertFile(advice: string): void {
	const place = databasePlace();
	if (place.databaseUrl !== undefined)
		throw new CommandError(
			`The database is on a PostgreSQL server (DATABASE_URL): ${advice}`,
		);
}

/** Where the installation keeps its data. */
export function dataDirectory(): string {
	return resolve(process.env.DATA_DIR || "./data");
}

/** Opens a database file for as long as `work` takes. @throws CommandError saying what to do about a file that fails */
export async function withStore<T>(
	file: string,
	work: (store: Store) => Promise<T>,
): Promise<T> {
	return withOpened(file, () => openSqlite(file, { canMigrate: false }), work);
}

async function withOpened<T>(
	name: string,
	open: () => Promise<Store>,
	work: (store: Store) => Promise<T>,
): Promise<T> {
	try {
		const store = await open();
		try {
			return await work(store);
		} finally {
			await store.close();
		}
	} catch (error) {
		throw withAdvice(error, name);
	}
}

/**
 * The business to work on: the only one, or the one that is named.
 *
 * @throws CommandError listing those there are
 */
export async function chooseBusiness(
	{ store }: SyncServer,
	wanted: string | undefined,
): Promise<string> {
	const rows = await store.read(listBusinesses);
	const found = rows.filter(({ id }) => wanted === undefined || id === wanted);
	const [only] = found;
	if (only && found.length === 1) return only.id;
	if (rows.length === 0)
		throw new CommandError(
			'There is no business yet; "counterfoil user create --business-name NAME" makes one',
		);
	const list = rows.map(({ id, name }) => `  ${id}  ${name}`);
	throw new CommandError(
		[
			wanted === undefined
				? "There are several businesses; choose one with --business ID:"
				: `There is no business ${wanted}. There are:`,
			...list,
		].join("\n"),
	);
}

/** Whoever has the database at hand may ask everything. */
export function asOwner(businessId: string) {
	return { businessId, role: "OWNER" } as const;
}
