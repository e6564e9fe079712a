import { nextTurn } from "#platform";
import { toStorageError } from "./storage-error.ts";
import type { Connection, DbRow, OnStatement, Value } from "./store.ts";

/** A connection to SQLite, natively or as WebAssembly. Its errors have SQLite's name for the failure as `code`. */
export interface SqliteDatabase {
	prepare(sql: string): SqliteStatement;
	/** Runs any number of statements. */
	exec(sql: string): unknown;
	readonly inTransaction: boolean;
	readonly readonly: boolean;
	close(): unknown;
}

/** A prepared statement. Numbers are bound as doubles; a column's type turns them into integers again. */
export interface SqliteStatement {
	get(...params: Value[]): unknown;
	all(...params: Value[]): unknown[];
	run(...params: Value[]): { changes: number };
	/** Frees the statement, if nothing else does. */
	finalize?(): void;
}

/** Reading so many rows takes as long as a short statement. */
const rowsPerStatement = 8;
/** The program has a finite set of SQL texts. More than this means that values were concatenated into SQL. */
const statementsMax = 1_000;

/**
 * SQLite with STAT4, as better-sqlite3 builds it, plans by the values that are bound, and so prepares a statement again each time
 * that it runs, which takes longer than most statements. It does not look behind a plus.
 */
const withUnseenValues = (sql: string): string =>
	sql.replaceAll(/'[^']*'|"[^"]*"|\?/g, (found) =>
		found === "?" ? "+?" : found,
	);

/** SQLite's LIKE ignores the case of just those letters that its lower() changes, which takes as long as all else of a search. */
const withoutLower = (sql: string): string =>
	sql.replaceAll(/\blower\((\w+)\) LIKE\b/g, "$1 LIKE");

/**
 * Yields to the event loop after a budget of work. Concurrent users wait for the same turn, so that none takes it from
 * the others.
 */
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

	/**
	 * Counts a statement.
	 *
	 * @returns a promise to await first, if the budget is used up
	 */
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
	readonly known = new Map<string, number>();
	#depth = 0;

	constructor(db: SqliteDatabase, turns: Turns, onStatement?: OnStatement) {
		this.db = db;
		this.turns = turns;
		this.#onStatement = onStatement;
	}

	// Storage failures become ShopErrors here, so that callers can distinguish them from bugs.
	async get(sql: string, ...params: Value[]): Promise<DbRow | undefined> {
		const turn = this.turns.take();
		if (turn) await turn;
		try {
			return this.#prepare(sql).get(...params) as DbRow | undefined;
		} catch (error) {
			throw this.#toFailure(error);
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
			throw this.#toFailure(error);
		}
	}

	async run(sql: string, ...params: Value[]): Promise<number> {
		const turn = this.turns.take();
		if (turn) await turn;
		try {
			return this.#prepare(sql).run(...params).changes;
		} catch (error) {
			throw this.#toFailure(error);
		}
	}

	async savepoint<T>(fn: () => Promise<T>): Promise<T> {
		// Readers may share a connection, and have nothing to roll back.
		if (this.db.readonly) return fn();
		const name = `s${this.#depth}`;
		this.#depth += 1;
		this.exec(`SAVEPOINT ${name}`);
		try {
			const result = await fn();
			this.exec(`RELEASE ${name}`);
			return result;
		} catch (error) {
			this.known.clear();
			// On a full disk, SQLite may have rolled everything back already.
			if (this.db.inTransaction) {
				this.exec(`ROLLBACK TO ${name}`);
				this.exec(`RELEASE ${name}`);
			}
			throw error;
		} finally {
			this.#depth -= 1;
		}
	}

	/** Runs a statement without result, prepared once. */
	exec(sql: string): void {
		if (sql === "ROLLBACK") this.known.clear();
		try {
			this.#prepare(sql).run();
		} catch (error) {
			throw this.#toFailure(error);
		}
	}

	#toFailure(error: unknown): unknown {
		this.known.clear();
		return toStorageError(error);
	}

	#prepare(sql: string): SqliteStatement {
		this.#onStatement?.(sql, !this.db.readonly);
		let statement = this.#statements.get(sql);
		if (!statement) {
			if (this.#statements.size >= statementsMax) {
				for (const one of this.#statements.values()) one.finalize?.();
				this.#statements.clear();
			}
			statement = this.db.prepare(withoutLower(withUnseenValues(sql)));
			this.#statements.set(sql, statement);
		}
		return statement;
	}
}
