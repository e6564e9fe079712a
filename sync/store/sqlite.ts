import { AsyncResource } from "node:async_hooks";
import { closeSync, existsSync, openSync } from "node:fs";
import {
	setImmediate as nextTurn,
	setTimeout as sleep,
} from "node:timers/promises";
import Database from "better-sqlite3";
import { isStorageError, ShopError } from "../errors.ts";
import { migrate, readVersion } from "./migrate.ts";
import { watchPlace } from "./place.ts";
import { ownSchema } from "./schema.ts";
import { toStorageError } from "./storage-error.ts";
import type {
	Connection,
	DbRow,
	OnStatement,
	Store,
	StoreOptions,
	Value,
} from "./store.ts";

const busyRetryMs = 10;
const busyGiveUpMs = 10_000;
/** How many writes may wait for the disk together; more wait for the next commit. */
const groupMax = 256;
/** How many long writes share a commit: sales of the same hour lie on the same pages, whichever till brings them. */
const longGroupMax = 16;
/** After so much of a group of short writes, some fifty milliseconds, the rest wait for a later commit. */
const groupWork = 4_000;
/** After so much of a write, some milliseconds, the event loop turns once: others are answered. */
const writeTurnWork = 400;
/** After so much of all reads together. */
const readTurnWork = 100;
/** Rows that take as long as a short statement. */
const rowsPerStatement = 8;
/** What the writer keeps of a shop in step, in kB: the ends of its indexes, and what it sells. */
const cacheKb = 16_000;
/** Many days' sales that come at once change their days' whole indexes; and for so long after, more may come. */
const longCacheKb = 128_000;
const longCacheMs = 60_000;
const readersMax = 8;
/** SQL texts are finite by design: far more than these means that values were pasted into SQL. */
const statementsMax = 1_000;

interface Job {
	run(tx: SqliteConnection): Promise<void>;
	isLong: boolean;
	/** Those before it in its group took long. */
	isSetBack: boolean;
	resolve(): void;
	reject(error: unknown): void;
}

/**
 * Opens (or makes) the database file, brings its schema up to date and checks that commits are durable.
 *
 * @throws ShopError `newer_database`, `older_database`, `not_a_database`, `storage_*`
 */
export async function openSqlite(
	path: string,
	{ onStatement, canMigrate }: StoreOptions = {},
): Promise<Store> {
	if (!existsSync(path)) makeFile(path);
	const writer = connect(path, {}, onStatement);
	try {
		await migrate(writer.db, ownSchema, canMigrate);
	} catch (error) {
		writer.db.close();
		throw toStorageError(error);
	}
	return new SqliteStore(path, writer, onStatement);
}

/** For its owner alone; what SQLite lays beside it has its mode. One that is there keeps the mode that it was given. */
function makeFile(path: string): void {
	try {
		closeSync(openSync(path, "a", 0o600));
	} catch (error) {
		const known = toStorageError(error);
		if (known instanceof ShopError) throw known;
		throw new ShopError(
			"storage_failed",
			"The database can't be opened",
			undefined,
			{ cause: error },
		);
	}
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

/** Lets the event loop turn after some work. Those who work at the same time wait for the same turn: none goes on instead. */
class Turns {
	readonly #most: number;
	/** All work so far. */
	total = 0;
	#done = 0;
	#turn: Promise<void> | undefined;

	constructor(most: number) {
		this.#most = most;
	}

	add(work: number): void {
		this.#done += work;
		this.total += work;
	}

	/** Counts a statement. @returns what it has to wait for first, if anything */
	take(): Promise<void> | undefined {
		this.add(1);
		if (this.#done < this.#most) return undefined;
		this.#turn ??= nextTurn().then(() => {
			this.#done = 0;
			this.#turn = undefined;
		});
		return this.#turn;
	}
}

class SqliteStore implements Store {
	readonly #path: string;
	readonly #writer: SqliteConnection;
	readonly #onStatement: OnStatement | undefined;
	#queue: Job[] = [];
	#wasPatient = true;
	#cacheKb = cacheKb;
	#lastLongAt = Number.NEGATIVE_INFINITY;
	readonly #idleReaders: SqliteConnection[] = [];
	readonly #readTurns = new Turns(readTurnWork);
	readonly #waitingReaders: ((reader: SqliteConnection) => void)[] = [];
	#readerCount = 0;
	#draining: Promise<void> | undefined;
	#closed = false;
	/** @throws ShopError where what is committed now would be lost */
	readonly assertInPlace: () => void;

	constructor(
		path: string,
		writer: SqliteConnection,
		onStatement: OnStatement | undefined,
	) {
		this.#path = path;
		this.#writer = writer;
		this.#onStatement = onStatement;
		this.assertInPlace = watchPlace(path);
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

	write<T>(
		fn: (tx: Connection) => Promise<T>,
		{ isLong = false } = {},
	): Promise<T> {
		this.#assertOpen();
		return new Promise<T>((resolve, reject) => {
			let result: T;
			this.#queue.push({
				// Whoever asked first is not the one who asks for all that waits with it.
				run: AsyncResource.bind(async (tx: SqliteConnection) => {
					result = await fn(tx);
				}),
				isLong,
				isSetBack: false,
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
		try {
			await this.#writer.get("PRAGMA wal_checkpoint(TRUNCATE)");
		} catch (error) {
			// Without room to tidy up, what was committed stays in the log beside the database, and is read from there.
			if (!isStorageError(error)) throw error;
		} finally {
			this.#writer.db.close();
		}
	}

	#assertOpen(): void {
		if (this.#closed)
			throw new ShopError("storage_failed", "The database is closed");
	}

	/** Writes that arrived in the same turn of the event loop share one commit, so one wait for the disk. */
	async #drain(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		while (this.#queue.length > 0) {
			await this.#commit(this.#nextGroup());
			// Answers go out, and new requests come in, before the next group.
			await new Promise<void>((resolve) => setImmediate(resolve));
		}
		this.#draining = undefined;
	}

	/** Short ones take turns with those that are long or were set back: neither waits for all of the others. */
	#nextGroup(): Job[] {
		const patient = this.#queue.filter((job) => job.isLong || job.isSetBack);
		const isPatient =
			patient.length === this.#queue.length ||
			(patient.length > 0 && !this.#wasPatient);
		const isLong = isPatient && patient[0]?.isLong === true;
		const next = this.#queue
			.filter(
				(job) =>
					job.isLong === isLong && job.isSetBack === (isPatient && !isLong),
			)
			.slice(0, isLong ? longGroupMax : groupMax);
		const taken = new Set(next);
		this.#queue = this.#queue.filter((job) => !taken.has(job));
		this.#wasPatient = isPatient;
		return next;
	}

	#fitCache(isLong: boolean): void {
		const now = performance.now();
		if (isLong) this.#lastLongAt = now;
		const kb = now - this.#lastLongAt < longCacheMs ? longCacheKb : cacheKb;
		if (kb === this.#cacheKb) return;
		this.#cacheKb = kb;
		setCache(this.#writer.db, kb);
	}

	async #commit(group: Job[]): Promise<void> {
		const done: Job[] = [];
		let begun = group;
		const isAlone = group.length === 1;
		// A savepoint copies each page that changes inside it, and each statement walks through them all: a thousand sales
		// take five times as long in one. Long jobs are undone with their transaction, as one that is alone.
		const isLong = group.some(({ isLong }) => isLong);
		const isOne = isAlone || isLong;
		try {
			this.#fitCache(isLong);
			await begin(this.#writer);
			const workMax = this.#writer.turns.total + groupWork;
			for (const [i, job] of group.entries()) {
				if (!isLong && this.#writer.turns.total > workMax) {
					begun = group.slice(0, i);
					break;
				}
				try {
					if (isOne) await job.run(this.#writer);
					else await this.#writer.savepoint(() => job.run(this.#writer));
					done.push(job);
				} catch (error) {
					// A full or failing disk may have undone the whole group already: nobody is told that it holds.
					const isUndone = !this.#writer.db.inTransaction;
					if (isOne || isUndone || isStorageError(error)) throw error;
					job.reject(error);
				}
			}
			// A caller must not hear that something is kept which is not.
			this.assertInPlace();
			this.#writer.exec("COMMIT");
		} catch (error) {
			if (this.#writer.db.inTransaction) this.#writer.exec("ROLLBACK");
			// Whose fault it was shows when each is by itself.
			if (isOne && !isAlone && !isStorageError(error))
				for (const job of group) await this.#commit([job]);
			else for (const job of begun) job.reject(error);
			return;
		} finally {
			const rest = group.slice(begun.length);
			for (const job of rest) job.isSetBack = true;
			this.#queue.unshift(...rest);
		}
		for (const job of done) job.resolve();
	}

	async #takeReader(): Promise<SqliteConnection> {
		const idle = this.#idleReaders.pop();
		if (idle) return idle;
		if (this.#readerCount < readersMax) {
			this.#readerCount += 1;
			try {
				return connect(
					this.#path,
					{ readonly: true },
					this.#onStatement,
					this.#readTurns,
				);
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
	readonly #onStatement: OnStatement | undefined;
	readonly turns: Turns;
	#depth = 0;

	constructor(db: Database.Database, turns: Turns, onStatement?: OnStatement) {
		this.db = db;
		this.turns = turns;
		this.#onStatement = onStatement;
	}

	// Failures of the storage get their names here, so that all above can tell them from faults.
	async get(sql: string, ...params: Value[]): Promise<DbRow | undefined> {
		const turn = this.turns.take();
		if (turn) await turn;
		try {
			return this.#prepare(sql).get(...params) as DbRow | undefined;
		} catch (error) {
			throw toStorageError(error);
		}
	}

	async all(sql: string, ...params: Value[]): Promise<DbRow[]> {
		const turn = this.turns.take();
		if (turn) await turn;
		try {
			const rows = this.#prepare(sql).all(...params) as DbRow[];
			this.turns.add(rows.length / rowsPerStatement);
			return rows;
		} catch (error) {
			throw toStorageError(error);
		}
	}

	async run(sql: string, ...params: Value[]): Promise<number> {
		const turn = this.turns.take();
		if (turn) await turn;
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
		this.#onStatement?.(sql, !this.db.readonly);
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
function connect(
	path: string,
	options: Database.Options = {},
	onStatement?: OnStatement,
	turns = new Turns(writeTurnWork),
) {
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
		if (!options.readonly) setCache(db, cacheKb);
		db.pragma("busy_timeout = 100");
		db.prepare("SELECT count(*) FROM sqlite_master").get();
		const synchronous = db.pragma("synchronous", { simple: true });
		if (synchronous !== 2)
			throw new Error(`synchronous is ${synchronous}, not FULL`);
		return new SqliteConnection(db, turns, onStatement);
	} catch (error) {
		db?.close();
		throw toStorageError(error);
	}
}

function setCache(db: Database.Database, kb: number): void {
	db.pragma(`cache_size = -${kb}`);
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
