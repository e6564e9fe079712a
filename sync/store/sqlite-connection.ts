import { nextTurn } from "#platform";
import { toStorageError } from "./storage-error.ts";
import type { Connection, DbRow, OnStatement, Value } from "./store.ts";

/** What is asked of a connection to SQLite, whichever program that is. What it throws has SQLite's name for it as `code`. */
export interface SqliteDatabase {
	prepare(sql: string): SqliteStatement;
	/** Runs any number of statements. */
	exec(sql: string): unknown;
	readonly inTransaction: boolean;
	readonly readonly: boolean;
	close(): unknown;
}

/** Numbers are bound as doubles; a column's own type makes whole numbers of them again. */
export interface SqliteStatement {
	get(...params: Value[]): unknown;
	all(...params: Value[]): unknown[];
	run(...params: Value[]): { changes: number };
	/** Where nobody else frees it. */
	finalize?(): void;
}

/** Rows that take as long as a short statement. */
const rowsPerStatement = 8;
/** SQL texts are finite by design: far more than these means that values were pasted into SQL. */
const statementsMax = 1_000;

/** Lets the event loop turn after some work. Those who work at the same time wait for the same turn: none goes on instead. */
export class Turns {
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

export class SqliteConnection implements Connection {
	readonly db: SqliteDatabase;
	readonly #statements = new Map<string, SqliteStatement>();
	readonly #onStatement: OnStatement | undefined;
	readonly turns: Turns;
	#depth = 0;

	constructor(db: SqliteDatabase, turns: Turns, onStatement?: OnStatement) {
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
		// Readers may share a connection, and have nothing to undo.
		if (this.db.readonly) return fn();
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

	#prepare(sql: string): SqliteStatement {
		this.#onStatement?.(sql, !this.db.readonly);
		let statement = this.#statements.get(sql);
		if (!statement) {
			if (this.#statements.size >= statementsMax) {
				for (const one of this.#statements.values()) one.finalize?.();
				this.#statements.clear();
			}
			statement = this.db.prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}
