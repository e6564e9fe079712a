import { setTimeout as sleep } from "node:timers/promises";
import { nextTurn } from "#platform";
import { isStorageError, ShopError } from "../protocol/errors.ts";
import { newId, systemEnv } from "../protocol/ids.ts";
import { migratePostgres, readPostgresVersion } from "./migrate-postgres.ts";
import {
	connectPostgres,
	type PostgresConnection,
} from "./postgres-connection.ts";
import {
	isConflict,
	isLockTimeout,
	isLost,
	isUnique,
} from "./postgres-errors.ts";
import { channel, openListener } from "./postgres-listener.ts";
import { openStatistics, type Statistics } from "./postgres-statistics.ts";
import { ReaderPool } from "./reader-pool.ts";
import { ownSchema } from "./schema.ts";
import type { Connection, Store, StoreOptions } from "./store.ts";
import { groupMax, type Job, queued } from "./write-queue.ts";

/** Milliseconds that a write in a shared transaction may wait for a row that another process holds. */
const groupLockMs = 20;
const conflictGiveUpMs = 10_000;
const conflictPauseMs = 10;

/**
 * Opens a database on a PostgreSQL server and migrates its schema. Several processes may share it.
 *
 * @throws ShopError `newer_database`, `older_database`, `not_a_database`, `storage_*`
 */
export async function openPostgres(
	url: string,
	{ onStatement, canMigrate }: StoreOptions = {},
): Promise<Store> {
	const connect = async (isWriter: boolean) => {
		const connection = await connectPostgres(url);
		if (onStatement)
			connection.onStatement = (sql) => onStatement(sql, isWriter);
		return connection;
	};
	const writer = await connect(true);
	try {
		await migratePostgres(writer, ownSchema, canMigrate);
	} catch (error) {
		await writer.end();
		throw error;
	}
	return new PostgresStore(url, writer, connect);
}

/** Facts about a database besides the content of its tables. */
export interface ServerFacts {
	/** The major version, such as 15. */
	version: number;
	/** Undefined for a database without tables. */
	schemaVersion: number | undefined;
	/** False if a power cut may lose acknowledged commits. */
	isDurable: boolean;
}

/**
 * Reads a database without changing anything, not even an older schema.
 *
 * @throws ShopError `not_a_database`, `storage_*`
 */
export async function lookIntoPostgres<T>(
	url: string,
	fn: (tx: Connection, facts: ServerFacts) => Promise<T>,
): Promise<T> {
	const reader = await connectPostgres(url);
	try {
		reader.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
		const row = await reader.get(
			`SELECT current_setting('server_version_num') AS version,
         current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS durable`,
		);
		return await fn(reader, {
			version: Math.floor(Number(row?.version) / 10_000),
			schemaVersion: await readPostgresVersion(reader),
			isDurable: row?.durable === 1,
		});
	} finally {
		await reader.end();
	}
}

/**
 * Runs the writes of one process one after the other, and commits waiting ones together; those of several processes
 * meet at the rows that they change. A statement sees what was committed before it started (READ COMMITTED), so a write
 * that decides by an earlier read must first lock the row that all such writes lock: for a shop's data, its row in
 * `businesses`.
 */
class PostgresStore implements Store {
	readonly #connect: (isWriter: boolean) => Promise<PostgresConnection>;
	readonly #queue: Job[] = [];
	readonly #readers: ReaderPool<PostgresConnection>;
	readonly #listener: ReturnType<typeof openListener>;
	/** The name of this process in announcements. */
	readonly #name = newId(systemEnv);
	readonly #telling = new Set<Promise<void>>();
	readonly #statistics: Statistics;
	#writer: PostgresConnection;
	#draining: Promise<void> | undefined;
	#closed = false;

	constructor(
		url: string,
		writer: PostgresConnection,
		connect: (isWriter: boolean) => Promise<PostgresConnection>,
	) {
		this.#connect = connect;
		this.#writer = writer;
		this.#readers = new ReaderPool({
			open: () => connect(false),
			close: (reader) => reader.end(),
			// It closes itself.
			discardBroken: (reader) => reader.isLost,
		});
		this.#listener = openListener(url);
		this.#statistics = openStatistics(url);
	}

	async read<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		try {
			return await this.#readOnce(fn);
		} catch (error) {
			// The server may have restarted. The first attempt has changed nothing.
			if (isLost(error) && !this.#closed) return this.#readOnce(fn);
			throw error;
		}
	}

	#readOnce<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		return this.#readers.use(async (reader) => {
			try {
				reader.begin("ISOLATION LEVEL REPEATABLE READ READ ONLY");
				return await fn(reader);
			} finally {
				reader.send("ROLLBACK");
			}
		});
	}

	write<T>(fn: (tx: Connection) => Promise<T>): Promise<T> {
		this.#assertOpen();
		return queued(fn, (job) => {
			this.#queue.push(job);
			this.#draining ??= this.#drain();
		});
	}

	announce(note: string): void {
		const telling = this.#tell(note)
			// If it does not arrive, other processes find the change at their next check.
			.catch(() => {})
			.finally(() => this.#telling.delete(telling));
		this.#telling.add(telling);
	}

	/**
	 * Announces in another transaction than the write's, because NOTIFY would make the commits of all shops wait for each
	 * other.
	 */
	async #tell(note: string): Promise<void> {
		await this.#readers.use((reader) =>
			reader.get("SELECT pg_notify(?, ?)", channel, this.#name + note),
		);
	}

	onAnnounced(listener: (note: string | undefined) => void): void {
		this.#listener.listen((payload) => {
			if (!payload?.startsWith(this.#name))
				listener(payload?.slice(this.#name.length));
		});
	}

	/** The database server takes care of its files. */
	assertInPlace(): void {}

	async close(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		await this.#draining;
		await Promise.all(this.#telling);
		await Promise.all([
			this.#listener.close(),
			this.#statistics.close(),
			this.#writer.end(),
			this.#readers.close(),
		]);
	}

	#assertOpen(): void {
		if (this.#closed)
			throw new ShopError("storage_failed", "The database is closed");
	}

	async #drain(): Promise<void> {
		await nextTurn();
		while (this.#queue.length > 0) {
			const group = this.#queue.splice(0, groupMax);
			this.#queue.unshift(...(await this.#commit(group)));
			this.#statistics.wrote(this.#writer.written);
			this.#writer.written = 0;
			await nextTurn();
		}
		this.#draining = undefined;
	}

	/**
	 * Commits a group of writes, again from the start after a conflict with another process.
	 *
	 * @returns the writes that have to wait for a row that another process holds, and those after them
	 */
	async #commit(group: Job[]): Promise<Job[]> {
		const giveUpAt = performance.now() + conflictGiveUpMs;
		for (let attempt = 1; ; attempt += 1) {
			const attempted = new Attempt(group, attempt > 1);
			try {
				if (this.#writer.isLost) this.#writer = await this.#connect(true);
				return await attempted.run(this.#writer);
			} catch (error) {
				this.#writer.send("ROLLBACK");
				const isInTime = performance.now() < giveUpAt;
				if (!attempted.mayRunAgain(error, attempt) || !isInTime) {
					for (const job of group) job.reject(error);
					return [];
				}
			}
			await sleep(Math.random() * conflictPauseMs * Math.min(attempt, 10));
		}
	}
}

/** One attempt to commit a group of writes in one transaction. */
class Attempt {
	readonly #group: Job[];
	readonly #isolated: boolean;
	#isCommitting = false;

	/**
	 * @param again after a write without a savepoint failed: gives each one a savepoint, so that it can be rolled back
	 * alone
	 */
	constructor(group: Job[], again: boolean) {
		this.#group = group;
		this.#isolated = again || group.length > 1;
	}

	/** @returns the writes that are left for the next transaction */
	async run(tx: PostgresConnection): Promise<Job[]> {
		const refused = new Map<Job, unknown>();
		let left: Job[] = [];
		tx.begin("ISOLATION LEVEL READ COMMITTED");
		for (const [i, job] of this.#group.entries()) {
			// Only the first write waits long, since it holds no rows yet. Waiting while holding rows can deadlock.
			if (i === 1) tx.send(`SET LOCAL lock_timeout = ${groupLockMs}`);
			try {
				await this.#runJob(tx, job);
			} catch (error) {
				if (i > 0 && isLockTimeout(error)) {
					left = this.#group.slice(i);
					break;
				}
				if (!this.#isolated || isStorageError(error)) throw error;
				refused.set(job, error);
			}
		}
		this.#isCommitting = true;
		await tx.commit();
		for (const job of this.#group.slice(0, this.#group.length - left.length)) {
			if (refused.has(job)) job.reject(refused.get(job));
			else job.resolve();
		}
		return left;
	}

	async #runJob(tx: PostgresConnection, job: Job): Promise<void> {
		if (!this.#isolated) return job.run(tx);
		try {
			await tx.savepoint(() => job.run(tx));
		} catch (error) {
			if (!isUnique(error)) throw error;
			await tx.savepoint(() => job.run(tx));
		}
	}

	/** If the connection breaks after COMMIT was sent, its outcome is unknown, and the caller has to repeat the request. */
	mayRunAgain(error: unknown, attempt: number): boolean {
		if (isConflict(error)) return true;
		if (isLost(error)) return !this.#isCommitting && attempt === 1;
		return isUnique(error) && attempt === 1;
	}
}
