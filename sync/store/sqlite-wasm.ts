import { newDatabase } from "#new-database";
import { openScope } from "#platform";
import { ownSchema } from "#schema";
import { ShopError } from "../protocol/errors.ts";
import { migrate, setEpoch } from "./migrate.ts";
import { openPool, type Pool } from "./opfs-pool.ts";
import {
	SqliteConnection,
	type SqliteDatabase,
	Turns,
} from "./sqlite-connection.ts";
import { toStorageError } from "./storage-error.ts";
import type {
	Connection,
	OnStatement,
	Store,
	StoreOptions,
	WriteOptions,
} from "./store.ts";
import { WasmDatabase, type WasmSqlite } from "./wasm-database.ts";
import { WriteQueue } from "./write-queue.ts";

/*
 * The store of a till in a browser: SQLite as WebAssembly in a worker. It has a single connection, because only one can
 * hold the files open and it shares no memory with others. Readers run side by side; a group of writes runs alone.
 */

const file = "/shop.db";
/** After this much work, some milliseconds of one transaction or of all reads, other tasks get a turn. */
const turnWork = 400;

const pragmas = `
	PRAGMA foreign_keys = ON;
	PRAGMA temp_store = MEMORY;
`;
/** A smaller log than on a server, because it counts against the site's storage quota. */
const filePragmas = `
	PRAGMA journal_mode = WAL;
	PRAGMA synchronous = FULL;
	PRAGMA wal_autocheckpoint = 1000;
	PRAGMA journal_size_limit = 4000000;
`;
/** Required values: without them a commit is not durable. */
const durable = {
	locking_mode: "exclusive",
	journal_mode: "wal",
	synchronous: 2,
};

interface WasmOptions extends StoreOptions {
	/** Called before a new database is made, for work that needs none. */
	onNew?: (() => void) | undefined;
}

/**
 * Opens or creates the database in a directory of OPFS, in a dedicated worker and without any other user. If that
 * fails, the files stay unchanged.
 *
 * @throws ShopError `storage_busy` if another tab has it open; `newer_database`, `not_a_database`, `storage_*`
 */
export async function openInOpfs(
	sqlite: WasmSqlite,
	directory: string,
	options: WasmOptions = {},
): Promise<OpfsStore> {
	const pool = await openPool(sqlite, directory);
	try {
		return await open(sqlite, options, pool);
	} catch (error) {
		pool.pauseVfs();
		throw error;
	}
}

/** Opens a database in memory, for a browser without files. It is lost with the page. */
export function openInMemory(
	sqlite: WasmSqlite,
	options: WasmOptions = {},
): Promise<Store> {
	return open(sqlite, options);
}

async function open(
	sqlite: WasmSqlite,
	{ onStatement, canMigrate, onNew }: WasmOptions,
	pool?: Pool,
): Promise<OpfsStore> {
	let db: WasmDatabase | undefined;
	try {
		db = new WasmDatabase(sqlite, pool ? file : ":memory:", pool?.vfsName);
		db.exec(pragmas);
		// A log needs shared memory otherwise.
		if (pool) db.exec("PRAGMA locking_mode = EXCLUSIVE");
		// The copy of a whole file needs no log.
		if (isEmpty(db)) {
			onNew?.();
			await fill(db);
		}
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

const isEmpty = (db: WasmDatabase) =>
	db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;

/** Copies a new database in one transaction. Each has another epoch. */
async function fill(db: WasmDatabase): Promise<void> {
	const fresh = new WasmDatabase(db.sqlite, ":memory:");
	try {
		fresh.load(await newDatabase());
		setEpoch(fresh);
		fresh.copyInto(db);
	} finally {
		fresh.close();
	}
}

/** A store in a browser's files. */
export interface OpfsStore extends Store {
	/**
	 * Copies the whole database into memory, so that a till can go on after its disk failed.
	 *
	 * @throws ShopError if it can't be read completely or is damaged
	 */
	copy(): Promise<Store>;
}

class WasmStore implements OpfsStore {
	readonly #db: WasmDatabase;
	readonly #reader: SqliteConnection;
	readonly #writes: WriteQueue;
	readonly #letGo: () => void;
	/** Detects a read or write inside another one, which would deadlock. */
	readonly #inside = openScope();
	#readers = 0;
	#onLastReader = () => {};
	/** Pending while a group of writes runs or waits for readers. */
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
			begin: async (_isLong, isDurable) => {
				this.#waitForDisk(isDurable);
				writer.exec("BEGIN IMMEDIATE");
			},
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
		options: WriteOptions = {},
	): Promise<T> {
		this.#assertOpen();
		return this.#writes.add((tx) => this.#inside.run(() => fn(tx)), options);
	}

	/** No other process uses this database. */
	announce(): void {}

	onAnnounced(): void {}

	/** The files are open, so nothing can remove them. */
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
			// Closing checkpoints the log into the database.
			this.#db.close();
			this.#letGo();
		});
	}

	/**
	 * Sets whether commits wait for the disk. A flush takes longer than all of a sale's statements, and the flush of a later
	 * commit covers the ones before it.
	 */
	#waitForDisk(isDurable: boolean): void {
		if (isDurable === this.#db.waitsForDisk) return;
		this.#db.exec(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
		this.#db.waitsForDisk = isDurable;
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

/** Wraps the database so that readers can't change it. */
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
