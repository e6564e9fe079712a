import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { isStorageError, ShopError } from "../errors.ts";
import { migrate, readVersion } from "./migrate.ts";
import type { Connection, DbRow, Store, Value } from "./store.ts";

const busyRetryMs = 10;
const busyGiveUpMs = 10_000;
/** How many writes may wait for the disk together; more wait for the next commit. */
const groupMax = 256;
const readersMax = 8;
/** SQL texts are finite by design: far more than these means that values were pasted into SQL. */
const statementsMax = 1_000;

interface Job {
	run(tx: SqliteConnection): Promise<void>;
	resolve(): void;
	reject(error: unknown): void;
}

/**
 * Opens (or makes) the database file, brings its schema up to date and checks that commits are durable.
 *
 * @throws ShopError `newer_database`, `not_a_database`, `storage_*`
 */
export async function openSqlite(path: string): Promise<Store> {
	const writer = connect(path);
	try {
		await migrate(writer.db);
	} catch (error) {
		writer.db.close();
		throw toStorageError(error);
	}
	return new SqliteStore(path, writer);
}

/**
 * Looks into a database file and changes nothing, not even an older schema.
 *
 * @param fn is told the schema's version; undefined for a database without tables
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
	readonly #path: string;
	readonly #writer: SqliteConnection;
	readonly #queue: Job[] = [];
	readonly #idleReaders: SqliteConnection[] = [];
	readonly #waitingReaders: ((reader: SqliteConnection) => void)[] = [];
	#readerCount = 0;
	#draining: Promise<void> | undefined;
	#closed = false;

	constructor(path: string, writer: SqliteConnection) {
		this.#path = path;
		this.#writer = writer;
	}

	async read<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		const reader = await this.#takeReader();
		try {
			reader.exec("BEGIN");
			return await fn(reader);
		} finally {
			if (reader.db.inTransaction) reader.exec("COMMIT");
			this.#giveReader(reader);
		}
	}

	write<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		return new Promise<T>((resolve, reject) => {
			let result: T;
			this.#queue.push({
				run: async (tx) => {
					result = await fn(tx);
				},
				resolve: () => resolve(result),
				reject,
			});
			this.#draining ??= this.#drain();
		});
	}

	/** Its other processes are commands at the terminal, which nobody hears and which listen to nobody. */
	announce(): void {}

	onAnnounced(): void {}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#draining;
		for (const reader of this.#idleReaders) reader.db.close();
		this.#writer.db.pragma("wal_checkpoint(TRUNCATE)");
		this.#writer.db.close();
	}

	#assertOpen(): void {
		if (this.#closed)
			throw new ShopError("storage_failed", "The database is closed");
	}

	/** Writes that arrived in the same turn of the event loop share one commit, so one wait for the disk. */
	async #drain(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		while (this.#queue.length > 0) {
			await this.#commit(this.#queue.splice(0, groupMax));
			// Answers go out, and new requests come in, before the next group.
			await new Promise<void>((resolve) => setImmediate(resolve));
		}
		this.#draining = undefined;
	}

	async #commit(group: Job[]): Promise<void> {
		const done: Job[] = [];
		// A savepoint copies each page that changes inside it: a job that is alone is undone with its transaction.
		const isAlone = group.length === 1;
		try {
			await begin(this.#writer);
			for (const job of group) {
				try {
					if (isAlone) await job.run(this.#writer);
					else await this.#writer.savepoint(() => job.run(this.#writer));
					done.push(job);
				} catch (error) {
					// A full or failing disk may have undone the whole group already: nobody is told that it holds.
					const isUndone = !this.#writer.db.inTransaction;
					if (isAlone || isUndone || isStorageError(error)) throw error;
					job.reject(error);
				}
			}
			this.#writer.exec("COMMIT");
		} catch (error) {
			if (this.#writer.db.inTransaction) this.#writer.exec("ROLLBACK");
			for (const job of group) job.reject(error);
			return;
		}
		for (const job of done) job.resolve();
	}

	async #takeReader(): Promise<SqliteConnection> {
		const idle = this.#idleReaders.pop();
		if (idle) return idle;
		if (this.#readerCount < readersMax) {
			this.#readerCount += 1;
			try {
				return connect(this.#path, { readonly: true });
			} catch (error) {
				this.#readerCount -= 1;
				throw toStorageError(error);
			}
		}
		return new Promise((resolve) => this.#waitingReaders.push(resolve));
	}

	#giveReader(reader: SqliteConnection): void {
		const next = this.#waitingReaders.shift();
		if (next) next(reader);
		else if (this.#closed) reader.db.close();
		else this.#idleReaders.push(reader);
	}
}

class SqliteConnection implements Connection {
	readonly db: Database.Database;
	readonly #statements = new Map<string, Database.Statement>();
	#depth = 0;

	constructor(db: Database.Database) {
		this.db = db;
	}

	// Failures of the storage get their names here, so that all above can tell them from faults.
	async get(sql: string, ...params: Value[]): Promise<DbRow | undefined> {
		try {
			return this.#prepare(sql).get(...params) as DbRow | undefined;
		} catch (error) {
			throw toStorageError(error);
		}
	}

	async all(sql: string, ...params: Value[]): Promise<DbRow[]> {
		try {
			return this.#prepare(sql).all(...params) as DbRow[];
		} catch (error) {
			throw toStorageError(error);
		}
	}

	async run(sql: string, ...params: Value[]): Promise<number> {
		try {
			return this.#prepare(sql).run(...params).changes;
		} catch (error) {
			throw toStorageError(error);
		}
	}

	async savepoint<T>(fn: () => Promise<T>): Promise<T> {
		const name = `s${this.#depth}`;
		this.#depth += 1;
		this.exec(`SAVEPOINT ${name}`);
		try {
			const result = await fn();
			this.exec(`RELEASE ${name}`);
			return result;
		} catch (error) {
			// SQLite has already rolled everything back where the disk was full.
			if (this.db.inTransaction) {
				this.exec(`ROLLBACK TO ${name}`);
				this.exec(`RELEASE ${name}`);
			}
			throw error;
		} finally {
			this.#depth -= 1;
		}
	}

	/** Runs a statement that returns nothing, prepared once. */
	exec(sql: string): void {
		try {
			this.#prepare(sql).run();
		} catch (error) {
			throw toStorageError(error);
		}
	}

	#prepare(sql: string): Database.Statement {
		let statement = this.#statements.get(sql);
		if (!statement) {
			if (this.#statements.size >= statementsMax) this.#statements.clear();
			statement = this.db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}

/**
 * Opens one connection. In WAL mode this build of SQLite silently falls back to synchronous=NORMAL, which loses
 * acknowledged commits at a power cut, so FULL is set and then asserted after a first real statement.
 */
function connect(path: string, options: Database.Options = {}) {
	let db: Database.Database | undefined;
	try {
		db = new Database(path, options);
		if (!options.readonly) db.pragma("journal_mode = WAL");
		db.pragma("synchronous = FULL");
		db.pragma("fullfsync = 1");
		db.pragma("foreign_keys = ON");
		// What a savepoint would bring back is kept in memory, not in a file beside the database.
		db.pragma("temp_store = MEMORY");
		// 16 MB: a page that changes again soon is written into the database once.
		db.pragma("wal_autocheckpoint = 4000");
		// The writer keeps up to 64 MB of a busy shop's indexes at hand.
		if (!options.readonly) db.pragma("cache_size = -64000");
		db.pragma("busy_timeout = 100");
		db.prepare("SELECT count(*) FROM sqlite_master").get();
		const synchronous = db.pragma("synchronous", { simple: true });
		if (synchronous !== 2)
			throw new Error(`synchronous is ${synchronous}, not FULL`);
		return new SqliteConnection(db);
	} catch (error) {
		db?.close();
		throw toStorageError(error);
	}
}

/** Waits for another process's transaction without holding up the event loop. */
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

function sqliteCode(error: unknown): string {
	return error instanceof Database.SqliteError ? error.code : "";
}

const storageCodes = [
	["SQLITE_FULL", "storage_full", "The disk is full"],
	["SQLITE_BUSY", "storage_busy", "Another process is using the database"],
	["SQLITE_LOCKED", "storage_busy", "Another process is using the database"],
	["SQLITE_NOTADB", "not_a_database", "The file is not a database"],
	["SQLITE_IOERR", "storage_failed", "The disk failed"],
	["SQLITE_CORRUPT", "storage_failed", "The database file is damaged"],
	["SQLITE_READONLY", "storage_failed", "The database can't be written"],
	["SQLITE_CANTOPEN", "storage_failed", "The database can't be opened"],
] as const;

/** Failures of the storage by our own names; anything else as it is. */
export function toStorageError(error: unknown): unknown {
	const code = sqliteCode(error);
	const known = storageCodes.find(([prefix]) => code.startsWith(prefix));
	return known
		? new ShopError(known[1], known[2], undefined, { cause: error })
		: error;
}
