import { closeSync, existsSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { isStorageError, ShopError } from "../protocol/errors.ts";
import { migrate, readVersion } from "./migrate.ts";
import { watchPlace } from "./place.ts";
import { ReaderPool } from "./reader-pool.ts";
import { ownSchema } from "./schema.ts";
import {
	SqliteConnection,
	type SqliteDatabase,
	Turns,
} from "./sqlite-connection.ts";
import { toOpeningError, toStorageError } from "./storage-error.ts";
import type { Connection, Store, StoreOptions, WriteOptions } from "./store.ts";
import { WriteQueue } from "./write-queue.ts";

const busyRetryMs = 10;
const busyGiveUpMs = 10_000;
/** After this much work of a write, some milliseconds, the event loop turns once so that other requests are answered. */
const writeTurnWork = 400;
/** The same for all reads together. */
const readTurnWork = 100;
/** Cache of the writer in kB, enough for a synced shop: the ends of its indexes and the products that it sells. */
const cacheKb = 16_000;
/**
 * Cache while many days' sales arrive at once, because they touch the whole indexes of those days, and how long it
 * stays afterwards.
 */
const longCacheKb = 128_000;
const longCacheMs = 60_000;

interface SqliteOptions extends StoreOptions {
	/** Opens a connection. A simulation uses one again. */
	open?: typeof openDatabase | undefined;
}

/**
 * Opens or creates the database file, migrates its schema and checks that commits are durable.
 *
 * @throws ShopError `newer_database`, `older_database`, `not_a_database`, `storage_*`
 */
export async function openSqlite(
	path: string,
	{ canMigrate, ...options }: SqliteOptions = {},
): Promise<Store> {
	if (!existsSync(path)) makeFile(path);
	const writer = connect(path, {}, options);
	try {
		await migrate(writer.db, ownSchema, canMigrate);
	} catch (error) {
		writer.db.close();
		throw toStorageError(error);
	}
	return new SqliteStore(path, writer, options);
}

/** Creates the file for its owner only; SQLite's files beside it get the same mode. An existing file keeps its mode. */
function makeFile(path: string): void {
	try {
		closeSync(openSync(path, "a", 0o600));
	} catch (error) {
		throw toOpeningError(error);
	}
}

/**
 * Reads a database file without changing anything, not even an older schema.
 *
 * @param fn receives the schema's version, undefined for a database without tables
 * @throws ShopError `not_a_database`, `storage_*`
 */
export async function lookInto<T>(
	path: string,
	fn: (tx: Connection, schemaVersion: number | undefined) => Promise<T>,
): Promise<T> {
	const reader = connect(path, { readonly: true, fileMustExist: true });
	try {
		reader.exec("BEGIN");
		return await fn(reader, readVersion(reader.db));
	} catch (error) {
		throw toStorageError(error);
	} finally {
		reader.db.close();
	}
}

class SqliteStore implements Store {
	readonly #writer: SqliteConnection;
	readonly #writes: WriteQueue;
	#cacheKb = cacheKb;
	#lastLongAt = Number.NEGATIVE_INFINITY;
	readonly #readers: ReaderPool<SqliteConnection>;
	#closed = false;
	/** @throws ShopError if a commit would be lost now */
	readonly assertInPlace: () => void;

	constructor(path: string, writer: SqliteConnection, options: SqliteOptions) {
		this.#writer = writer;
		const turns = new Turns(readTurnWork);
		this.#readers = new ReaderPool({
			open: () => connect(path, { readonly: true }, options, turns),
			close: ({ db }) => {
				db.close();
			},
			// A failing disk prevented the end of its transaction.
			discardBroken({ db }) {
				const isBroken = db.inTransaction;
				if (isBroken) db.close();
				return isBroken;
			},
		});
		this.assertInPlace = watchPlace(path);
		this.#writes = new WriteQueue(writer, {
			begin: (isLong) => {
				this.#fitCache(isLong);
				return begin(writer);
			},
			assertInPlace: this.assertInPlace,
		});
	}

	async read<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		return this.#readers.use(async (reader) => {
			try {
				reader.exec("BEGIN");
				return await fn(reader);
			} finally {
				if (reader.db.inTransaction) reader.exec("COMMIT");
			}
		});
	}

	write<T>(
		fn: (tx: Connection) => Promise<T>,
		options: WriteOptions = {},
	): Promise<T> {
		this.#assertOpen();
		return this.#writes.add(fn, options);
	}

	/** The only other processes are commands in a terminal, which do not listen. */
	announce(): void {}

	onAnnounced(): void {}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#writes.draining;
		await this.#readers.close();
		try {
			await this.#writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
		} catch (error) {
			// Without room for a checkpoint, commits stay in the log beside the database and are read from there.
			if (!isStorageError(error)) throw error;
		} finally {
			this.#writer.db.close();
		}
	}

	#assertOpen(): void {
		if (this.#closed)
			throw new ShopError("storage_failed", "The database is closed");
	}

	#fitCache(isLong: boolean): void {
		const now = performance.now();
		if (isLong) this.#lastLongAt = now;
		const kb = now - this.#lastLongAt < longCacheMs ? longCacheKb : cacheKb;
		if (kb === this.#cacheKb) return;
		this.#cacheKb = kb;
		setCache(this.#writer, kb);
	}
}

function connect(
	path: string,
	options: Database.Options = {},
	{ onStatement, open = openDatabase }: SqliteOptions = {},
	turns = new Turns(writeTurnWork),
) {
	const db = open(path, options);
	const connection = new SqliteConnection(db, turns, onStatement);
	if (!options.readonly) setCache(connection, cacheKb);
	return connection;
}

/**
 * Opens one connection. In WAL mode this build of SQLite silently falls back to synchronous=NORMAL, which loses
 * acknowledged commits at a power failure, so FULL is set and then asserted after a first real statement.
 */
export function openDatabase(
	path: string,
	options: Database.Options,
): SqliteDatabase {
	let db: Database.Database | undefined;
	try {
		db = new Database(path, options);
		if (!options.readonly) db.pragma("journal_mode = WAL");
		db.pragma("synchronous = FULL");
		db.pragma("fullfsync = 1");
		db.pragma("foreign_keys = ON");
		// Savepoints keep their journal in memory, not in a file beside the database.
		db.pragma("temp_store = MEMORY");
		// 16 MB, so that a page that changes repeatedly is written into the database once.
		db.pragma("wal_autocheckpoint = 4000");
		db.pragma("busy_timeout = 100");
		db.prepare("SELECT count(*) FROM sqlite_master").get();
		const synchronous = db.pragma("synchronous", { simple: true });
		if (synchronous !== 2)
			throw new Error(`synchronous is ${synchronous}, not FULL`);
		return db;
	} catch (error) {
		db?.close();
		throw toStorageError(error);
	}
}

function setCache({ db }: SqliteConnection, kb: number): void {
	db.exec(`PRAGMA cache_size = -${kb}`);
}

/** Begins a write transaction, waiting for another process's without blocking the event loop. */
async function begin(connection: SqliteConnection): Promise<void> {
	const giveUpAt = performance.now() + busyGiveUpMs;
	for (;;) {
		try {
			connection.exec("BEGIN IMMEDIATE");
			return;
		} catch (error) {
			const busy = error instanceof ShopError && error.code === "storage_busy";
			if (!busy || performance.now() > giveUpAt) throw error;
			await sleep(busyRetryMs);
		}
	}
}
