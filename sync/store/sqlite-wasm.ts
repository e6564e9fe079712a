import { openScope } from "#platform";
import { ownSchema } from "#schema";
import { ShopError } from "../protocol/errors.ts";
import { migrate } from "./migrate.ts";
import { openPool, type Pool } from "./opfs-pool.ts";
import {
	SqliteConnection,
	type SqliteDatabase,
	Turns,
} from "./sqlite-connection.ts";
import { toStorageError } from "./storage-error.ts";
import type { Connection, OnStatement, Store, StoreOptions } from "./store.ts";
import { WasmDatabase, type WasmSqlite } from "./wasm-database.ts";
import { WriteQueue } from "./write-queue.ts";

/*
 * The store of a till in a browser: SQLite as WebAssembly in a worker. There is one connection, as its files are open for that
 * alone and it shares no memory with others: readers go beside each other, and a group of writes by itself.
 */

const file = "/shop.db";
/** After so much of a transaction or of all reads, some milliseconds, whoever asks for something else has a turn. */
const turnWork = 400;

const pragmas = `
	PRAGMA foreign_keys = ON;
	PRAGMA temp_store = MEMORY;
`;
/** Less of a log than on a server: it counts to what a browser lets this site keep. */
const filePragmas = `
	PRAGMA locking_mode = EXCLUSIVE;
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA wal_autocheckpoint = 1000;
	PRAGMA journal_size_limit = 4000000;
`;
/** What they have to be, or a commit is no promise. */
const durable = {
	locking_mode: "exclusive",
	journal_mode: "wal",
	synchronous: 2,
};

/**
 * Opens (or makes) the database in a directory of OPFS, which nobody else may have open, in a worker of its own. Where that
 * fails, all is left as it is.
 *
 * @throws ShopError `storage_busy` where another tab has it open; `newer_database`, `not_a_database`, `storage_*`
 */
export async function openInOpfs(
	sqlite: WasmSqlite,
	directory: string,
	options: StoreOptions = {},
): Promise<OpfsStore> {
	const pool = await openPool(sqlite, directory);
	try {
		return await open(sqlite, options, pool);
	} catch (error) {
		pool.pauseVfs();
		throw error;
	}
}

/** For where there are no files: what is written is gone with the page. */
export function openInMemory(
	sqlite: WasmSqlite,
	options: StoreOptions = {},
): Promise<Store> {
	return open(sqlite, options);
}

async function open(
	sqlite: WasmSqlite,
	{ onStatement, canMigrate }: StoreOptions,
	pool?: Pool,
): Promise<OpfsStore> {
	let db: WasmDatabase | undefined;
	try {
		db = new WasmDatabase(sqlite, pool ? file : ":memory:", pool?.vfsName);
		db.exec(pragmas);
		if (pool) db.exec(filePragmas);
		for (const [name, wanted] of Object.entries(pool ? durable : {})) {
			const found = db.prepare(`PRAGMA ${name}`).get()?.[name];
			if (found !== wanted) throw new Error(`${name} is ${found}`);
		}
		await migrate(db, ownSchema, canMigrate);
		return new WasmStore(db, onStatement, () => pool?.pauseVfs());
	} catch (error) {
		db?.close();
		throw toStorageError(error);
	}
}

/** A store in a browser's files. */
export interface OpfsStore extends Store {
	/**
	 * All that it holds, in memory: to go on with where its disk fails.
	 *
	 * @throws ShopError where not all of it can be read, or it is damaged
	 */
	copy(): Promise<Store>;
}

class WasmStore implements OpfsStore {
	readonly #db: WasmDatabase;
	readonly #reader: SqliteConnection;
	readonly #writes: WriteQueue;
	readonly #letGo: () => void;
	/** Of a read or a write: they would wait for each other for ever. */
	readonly #inside = openScope();
	#readers = 0;
	#onLastReader = () => {};
	/** Until a group of writes is done that works, or waits for readers. */
	#writing: Promise<void> | undefined;
	#closed = false;

	constructor(
		db: WasmDatabase,
		onStatement: OnStatement | undefined,
		letGo: () => void,
	) {
		const turns = () => new Turns(turnWork);
		const writer = new SqliteConnection(db, turns(), onStatement);
		this.#db = db;
		this.#reader = new SqliteConnection(forReaders(db), turns(), onStatement);
		this.#letGo = letGo;
		this.#writes = new WriteQueue(writer, {
			begin: async () => writer.exec("BEGIN IMMEDIATE"),
			assertInPlace: this.assertInPlace,
			admit: (work) => this.#alone(work),
		});
	}

	async read<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		while (this.#writing) await this.#writing;
		this.#readers += 1;
		try {
			return await this.#inside.run(() => fn(this.#reader));
		} finally {
			this.#readers -= 1;
			if (this.#readers === 0) this.#onLastReader();
		}
	}

	write<T>(
		fn: (tx: Connection) => Promise<T>,
		{ isLong = false } = {},
	): Promise<T> {
		this.#assertOpen();
		return this.#writes.add((tx) => this.#inside.run(() => fn(tx)), isLong);
	}

	/** Nobody else has this database. */
	announce(): void {}

	onAnnounced(): void {}

	/** Its files are open: nobody takes them away. */
	assertInPlace(): void {}

	async copy(): Promise<Store> {
		const copy = new WasmDatabase(this.#db.sqlite, ":memory:");
		try {
			await this.read(async () => this.#db.copyInto(copy));
			copy.exec(pragmas);
			const [found] = copy.prepare("PRAGMA quick_check(1)").all();
			if (found?.quick_check !== "ok")
				throw new ShopError("storage_failed", "The database is damaged");
			return new WasmStore(copy, undefined, () => {});
		} catch (error) {
			copy.close();
			throw toStorageError(error);
		}
	}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#writes.draining;
		await this.#alone(async () => {
			// With that, what is in the log beside the database goes into it.
			this.#db.close();
			this.#letGo();
		});
	}

	#assertOpen(): void {
		if (this.#closed)
			throw new ShopError("storage_failed", "The database is closed");
		if (this.#inside.isInside())
			throw new Error("A read or a write of this store is under way here");
	}

	async #alone(work: () => Promise<void>): Promise<void> {
		let done = () => {};
		this.#writing = new Promise((resolve) => {
			done = resolve;
		});
		try {
			if (this.#readers > 0)
				await new Promise<void>((resolve) => {
					this.#onLastReader = resolve;
				});
			await work();
		} finally {
			this.#writing = undefined;
			done();
		}
	}
}

/** The same database for those who may change nothing in it. */
function forReaders(db: WasmDatabase): SqliteDatabase {
	return {
		readonly: true,
		get inTransaction() {
			return db.inTransaction;
		},
		prepare(sql) {
			const statement = db.prepare(sql);
			if (statement.isReadOnly) return statement;
			statement.finalize();
			throw Object.assign(new Error("Not for readers"), {
				code: "SQLITE_READONLY",
			});
		},
		exec(sql) {
			this.prepare(sql).run();
		},
		close() {},
	};
}
