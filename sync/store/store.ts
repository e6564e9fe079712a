/** What a column can hold. Whole numbers stay within ±(2^53 - 1). */
export type Value = string | number | null;

/** A row as the database gives it, by column name. */
export type DbRow = Record<string, Value>;

/** A connection inside one transaction. Parameters are positional `?`. */
export interface Connection {
	get(sql: string, ...params: Value[]): Promise<DbRow | undefined>;
	all(sql: string, ...params: Value[]): Promise<DbRow[]>;
	/** @returns the number of rows changed */
	run(sql: string, ...params: Value[]): Promise<number>;
	/** Runs `fn`; where it throws, its writes are undone and the transaction goes on. */
	savepoint<T>(fn: () => Promise<T>): Promise<T>;
}

/**
 * The narrow port to a database. `fn` may await nothing but its connection: it holds a transaction open.
 * Failures of the storage itself are thrown as ShopError `storage_full`, `storage_busy` or `storage_failed`.
 */
export interface Store {
	/** A consistent view that never waits for writers. */
	read<T>(fn: (tx: Connection) => Promise<T>): Promise<T>;
	/**
	 * One transaction, durable on disk when the promise resolves; all of it or nothing.
	 *
	 * @param options.isLong it writes much: it is committed with others of its kind, and where one of them fails, `fn` runs
	 * again by itself
	 */
	write<T>(
		fn: (tx: Connection) => Promise<T>,
		options?: { isLong?: boolean },
	): Promise<T>;
	/**
	 * Tells the other processes on the same database of what was committed; where there can be none, nobody. It may not
	 * arrive: a hint, and no promise.
	 */
	announce(note: string): void;
	/** Calls back with what other processes announce, and with undefined after some of it may have been lost. */
	onAnnounced(listener: (note: string | undefined) => void): void;
	/** @throws ShopError `storage_failed` where the database has been taken away, so that what is committed would be lost */
	assertInPlace(): void;
	close(): Promise<void>;
}

/**
 * Told of each statement before it runs; what it throws fails that statement. A simulation's disk breaks here.
 *
 * @param isWriter false for those of a reader
 */
export type OnStatement = (sql: string, isWriter: boolean) => void;

export interface StoreOptions {
	onStatement?: OnStatement | undefined;
	/** False leaves a database of an older schema as it is; true by default. */
	canMigrate?: boolean | undefined;
}
