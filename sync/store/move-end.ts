import { closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ShopError } from "../protocol/errors.ts";
import { isInUse, syncNames } from "./copy.ts";
import { MoveError } from "./move-error.ts";
import { lookIntoPostgres, openPostgres } from "./postgres.ts";
import { applicationName } from "./postgres-connection.ts";
import { lookInto, openSqlite } from "./sqlite.ts";
import type { Connection, Store } from "./store.ts";
import { readTables } from "./tables.ts";

/** The location of a database. `name` is its name in messages, without a password. */
export type Place = { name: string } & ({ file: string } | { url: string });

/** One end of a move: a database that no other program uses meanwhile. */
export interface MoveEnd {
	name: string;
	store: Store;
	/**
	 * Keeps other programs out until the transaction ends.
	 *
	 * @throws MoveError if another process has it open
	 */
	hold(tx: Connection): Promise<void>;
	/** @param isKept false deletes a target that was not filled */
	close(isKept: boolean): Promise<void>;
}

/** @throws MoveError if it is missing, in use or another program's, or if it fails */
export function openSource(place: Place): Promise<MoveEnd> {
	return withName(place, openFilled);
}

/**
 * Opens a target, creating it if it is missing.
 *
 * @throws like `openSource`
 */
export function openTarget(place: Place): Promise<MoveEnd> {
	return withName(place, openOrMake);
}

/** Adds the database's name to an error, because two are in play. */
async function withName(
	place: Place,
	open: (place: Place) => Promise<MoveEnd>,
): Promise<MoveEnd> {
	try {
		return await open(place);
	} catch (error) {
		if (!(error instanceof ShopError)) throw error;
		throw new MoveError(`${place.name}: ${error.message}`, { cause: error });
	}
}

async function openFilled(place: Place): Promise<MoveEnd> {
	if ("file" in place && !existsSync(place.file))
		throw new MoveError(`There is no file ${place.file}`);
	const isEmpty =
		"file" in place
			? await lookInto(
					place.file,
					async (_tx, version) => version === undefined,
				)
			: await lookIntoPostgres(
					place.url,
					async (_tx, { schemaVersion }) => schemaVersion === undefined,
				);
	if (isEmpty) throw new MoveError(`${place.name} is empty`);
	return "file" in place ? openFile(place) : openServer(place);
}

async function openOrMake(place: Place): Promise<MoveEnd> {
	if ("url" in place) {
		const end = await openServer(place);
		return {
			...end,
			async close(isKept) {
				// Without statistics, which come by themselves after a minute, the first report of 600 sales takes as long.
				if (isKept) await end.store.write((tx) => tx.run("ANALYZE"));
				await end.close(isKept);
			},
		};
	}
	const { file } = place;
	if (existsSync(file)) {
		// Another program's database must not be locked.
		await lookInto(file, async () => {});
		return openFile(place);
	}
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Readable for its owner only: it will hold the shop's takings and password hashes.
	closeSync(openSync(file, "wx", 0o600));
	syncNames(dirname(file));
	const end = await openFile(place);
	return {
		...end,
		async close(isKept) {
			await end.close(isKept);
			if (isKept) return;
			for (const suffix of ["", "-wal", "-shm"])
				rmSync(file + suffix, { force: true });
		},
	};
}

/** A write transaction excludes other processes from a file. */
async function openFile({
	name,
	file,
}: {
	name: string;
	file: string;
}): Promise<MoveEnd> {
	if (isInUse(file)) throw inUse(name);
	const store = await openSqlite(file, { canMigrate: false });
	return { name, store, hold: async () => {}, close: () => store.close() };
}

async function openServer({
	name,
	url,
}: {
	name: string;
	url: string;
}): Promise<MoveEnd> {
	const store = await openPostgres(url, { canMigrate: false });
	const tables = readTables().map((table) => table.name);
	return {
		name,
		store,
		async hold(tx) {
			// The connection is idle while the other end counts.
			await tx.run("SET LOCAL idle_in_transaction_session_timeout = 0");
			await tx.run(`LOCK TABLE ${tables.join(", ")} IN EXCLUSIVE MODE`);
			const other = await tx.get(
				"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? AND pid <> pg_backend_pid() LIMIT 1",
				applicationName,
			);
			if (other) throw inUse(name);
		},
		close: () => store.close(),
	};
}

function inUse(name: string): MoveError {
	return new MoveError(
		`A server or another program is using ${name}; stop it first`,
	);
}
