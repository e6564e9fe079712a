/** A value that a column can hold. Integers stay within ±(2^53 - 1). */
export type Value = string | number | null;

/** A row as the database returns it, by column name. */
export type DbRow = Record<string, Value>;

/** A connection inside one transaction. Parameters are positional `?`. */
export interface Connection {
	get(sql: string, ...params: Value[]): Promise<DbRow | undefined>;
	all(sql: string, ...params: Value[]): Promise<DbRow[]>;
	/** @returns the number of changed rows */
	run(sql: string, ...params: Value[]): Promise<number>;
	/** Runs `fn`. If it throws, its writes are rolled back and the transaction goes on. */
	savepoint<T>(fn: () => Promise<T>): Promise<T>;
	/**
	 * Numbers that were read or written, and that nothing changes but a rollback. A statement that fails and anything that
	 * is rolled back empties it.
	 */
	readonly known?: Map<string, number>;
}

export interface WriteOptions {
	isLong?: boolean;
	isDurable?: boolean;
}

/**
 * The interface of a database. `fn` may await nothing but its connection, because it holds a transaction open. Storage
 * failures are thrown as ShopError `storage_full`, `storage_busy` or `storage_failed`.
 */
export interface Store {
	/** Runs `fn` on a consistent snapshot. It never waits for writers. */
	read<T>(fn: (tx: Connection) => Promise<T>): Promise<T>;
	/**
	 * Runs `fn` in one transaction, which is durable when the promise resolves.
	 *
	 * @param options.isLong for a write of many rows: it shares a commit with others like it, and if one of them fails,
	 * each `fn` runs again alone
	 * @param options.isDurable false for what can be fetched again: a power cut may take it back, with all others of its kind
	 * since the last durable write, in a store that otherwise waits for the disk. Default: true.
	 */
	write<T>(
		fn: (tx: Connection) => Promise<T>,
		options?: WriteOptions,
	): Promise<T>;
	/**
	 * Announces a commit to other processes on the same database, if there can be any. It may not arrive: it is only a
	 * hint.
	 */
	announce(note: string): void;
	/** Calls back with the announcements of other processes, and with undefined after some may have been lost. */
	onAnnounced(listener: (note: string | undefined) => void): void;
	/** @throws ShopError `storage_failed` if the database file is gone, so that a commit would be lost */
	assertInPlace(): void;
	close(): Promise<void>;
}

/**
 * Called with each statement before it runs; if it throws, the statement fails. A simulation breaks its disk with it.
 *
 * @param isWriter false for a reader's statement
 */
export type OnStatement = (sql: string, isWriter: boolean) => void;

export interface StoreOptions {
	onStatement?: OnStatement | undefined;
	/** False leaves a database of an older schema unchanged. Default: true. */
	canMigrate?: boolean | undefined;
}
