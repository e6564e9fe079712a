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
import { CommandError } from "./command-error.ts";
import { withAdvice } from "./storage-advice.ts";

/**
 * Opens the shop in `DATA_DIR` while `work` runs. A server may be running on it at the same time.
 *
 * @throws CommandError if there is no shop and `create` is false
 */
export async function withShop<T>(
	{ create }: { create: boolean },
	work: (shop: SyncServer) => Promise<T>,
): Promise<T> {
	const place = databasePlace();
	if (!create && !shopExists(place))
		throw new CommandError(
			`There is no shop in ${place.dataDir}; set DATA_DIR to the shop's directory`,
		);
	return withOpened(
		databaseName(place),
		() => openDatabase(place, { canMigrate: false }),
		(store) => work(openShop({ store })),
	);
}

/** Opens the shop in `DATA_DIR` while `work` runs on one business: `wanted`, or the only one. @throws as `chooseBusiness` */
export async function withBusiness<T>(
	wanted: string | undefined,
	work: (shop: SyncServer, businessId: string) => Promise<T>,
): Promise<T> {
	return withShop({ create: false }, async (shop) =>
		work(shop, await chooseBusiness(shop, wanted)),
	);
}

/** @throws CommandError if this user has no access to the directory */
function shopExists(place: DatabasePlace): boolean {
	if (place.databaseUrl !== undefined) return true;
	try {
		const found = statSync(databaseFile(place), { throwIfNoEntry: false });
		return found !== undefined;
	} catch (error) {
		const { message } = error as NodeJS.ErrnoException;
		throw new CommandError(
			`Can't read ${place.dataDir} (DATA_DIR): ${message}`,
		);
	}
}

/** The location of the installation's database. */
export function databasePlace(): DatabasePlace {
	return {
		dataDir: dataDirectory(),
		databaseUrl: readDatabaseUrl(process.env),
	};
}

/**
 * Asserts that the database is a file.
 *
 * @throws CommandError with `advice` if the database is on a PostgreSQL server
 */
export function assertFile(advice: string): void {
	const place = databasePlace();
	if (place.databaseUrl !== undefined)
		throw new CommandError(
			`The database is on a PostgreSQL server (DATABASE_URL): ${advice}`,
		);
}

/** `DATA_DIR` as an absolute path. */
export function dataDirectory(): string {
	return resolve(process.env.DATA_DIR || "./data");
}

/** Opens a database file while `work` runs. @throws CommandError with advice if the database fails */
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
 * The id of the business to work on: `wanted`, or the only one.
 *
 * @throws CommandError listing the businesses if there is no such one, or several without `wanted`
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
			'There are no businesses yet; create one with "counterfoil user create --business-name NAME"',
		);
	const list = rows.map(({ id, name }) => `  ${id}  ${name}`);
	throw new CommandError(
		[
			wanted === undefined
				? "There are several businesses; choose one with --business ID:"
				: `There is no business ${wanted}. The businesses are:`,
			...list,
		].join("\n"),
	);
}

/** A caller with an owner's rights: access to the database file gives access to everything. */
export function asOwner(businessId: string) {
	return { businessId, role: "OWNER" } as const;
}
