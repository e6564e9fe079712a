import {
	closeSync,
	copyFileSync,
	existsSync,
	openSync,
	truncateSync,
	writeSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openDatabase } from "../store/sqlite.ts";
import type {
	SqliteDatabase,
	SqliteStatement,
} from "../store/sqlite-connection.ts";

/*
 * To open a connection SQLite reads the whole schema, and to prepare the statements of a short run takes longer than to
 * run them. So one run after another uses the same files, with the same connections to them.
 */

let resets = 0;
/**
 * Its commit makes the other connections read the file again. It is never the same one: where the log begins like the
 * one before, a connection goes on with the pages it had.
 */
const nextChange = () => `user_version = ${++resets}`;

/** Two copies of what the index says of its log. SQLite reads the log again if they are not right. */
const indexHeaderBytes = 96;

/** The last statement of a store before it closes. The next use of the file replaces what this would copy into it. */
const closingCheckpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
const nothing: SqliteStatement = {
	get: () => undefined,
	all: () => [],
	run: () => ({ changes: 0 }),
};

/** A connection that is given back in place of being closed, with its prepared statements. */
class LentDatabase implements SqliteDatabase {
	readonly readonly: boolean;
	readonly #db: SqliteDatabase;
	readonly #onClose: () => void;
	readonly #statements = new Map<string, SqliteStatement>();

	constructor(db: SqliteDatabase, onClose: (lent: LentDatabase) => void) {
		this.#db = db;
		this.readonly = db.readonly;
		this.#onClose = () => onClose(this);
	}

	get inTransaction(): boolean {
		return this.#db.inTransaction;
	}

	prepare(sql: string): SqliteStatement {
		if (sql === closingCheckpoint) return nothing;
		const known = this.#statements.get(sql);
		if (known) return known;
		const statement = this.#db.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}

	exec(sql: string): void {
		this.#db.exec(sql);
	}

	close(): void {
		this.#onClose();
	}

	closeForGood(): void {
		this.#db.close();
	}
}

/** A database file that one machine after another starts with. */
export class LentFile {
	readonly path: string;
	/** True from the beginning of its use until its last connection is given back. */
	isLent = false;
	#idle: LentDatabase[] = [];
	#open = 0;

	constructor(path: string) {
		this.path = path;
	}

	/**
	 * Gives it the content of an image that nothing has open. Its idle connections read it again, because one of them
	 * commits; their statements hold, because the schema is the same.
	 */
	reset(image: string): void {
		// What its log has goes into the image itself.
		if (existsSync(`${image}-wal`)) once(image, "wal_checkpoint(TRUNCATE)");
		const log = `${this.path}-wal`;
		if (existsSync(log)) truncateSync(log);
		copyFileSync(image, this.path);
		// The index of the log says how long the file was, so it is made again.
		const index = `${this.path}-shm`;
		if (existsSync(index)) erase(index, indexHeaderBytes);
		const writer = this.#idle.find((db) => !db.readonly);
		if (writer) writer.exec(`PRAGMA ${nextChange()}`);
		else once(this.path, nextChange());
	}

	open(path: string, options: { readonly?: boolean }): SqliteDatabase {
		const isWanted = (db: LentDatabase) =>
			db.readonly === (options.readonly === true);
		const idle = this.#idle.find(isWanted);
		this.#idle = this.#idle.filter((db) => db !== idle);
		this.#open += 1;
		return (
			idle ??
			new LentDatabase(openDatabase(path, options), (db) => this.#take(db))
		);
	}

	close(): void {
		for (const db of this.#idle) db.closeForGood();
	}

	#take(db: LentDatabase): void {
		this.#open -= 1;
		if (this.#open === 0) this.isLent = false;
		// A failing disk prevented the end of its transaction.
		if (db.inTransaction) db.closeForGood();
		else this.#idle.push(db);
	}
}

/** Writes zeros to the beginning of a file that others have open. */
function erase(path: string, bytes: number): void {
	const file = openSync(path, "r+");
	writeSync(file, new Uint8Array(bytes));
	closeSync(file);
}

function once(path: string, pragma: string): void {
	const db = new Database(path);
	db.pragma(pragma);
	db.close();
}

export interface LentFiles {
	/** Lends a file with an image's content. */
	lend(image: string): LentFile;
	close(): void;
}

export function openLentFiles(dir: string): LentFiles {
	const files: LentFile[] = [];
	return {
		lend(image) {
			let file = files.find(({ isLent }) => !isLent);
			if (!file) {
				file = new LentFile(join(dir, `lent-${files.length}.db`));
				copyFileSync(image, file.path);
				files.push(file);
			}
			file.isLent = true;
			file.reset(image);
			return file;
		},
		close() {
			for (const file of files) file.close();
		},
	};
}
