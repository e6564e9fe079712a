import { copyFileSync, statSync, truncateSync } from "node:fs";
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
	 * Gives it the content of a closed database. Its idle connections read it again, because another one commits; their
	 * statements hold, because the schema is the same.
	 */
	reset(template: string): void {
		const once = (pragma: string) => {
			const db = new Database(this.path);
			db.pragma(pragma);
			db.close();
		};
		once("wal_checkpoint(TRUNCATE)");
		const { size } = statSync(this.path);
		copyFileSync(template, this.path);
		// The index of the log says how long the file was. Pages beyond the database's own end are no part of it.
		truncateSync(this.path, Math.max(size, statSync(this.path).size));
		once("user_version = 0");
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

export interface LentFiles {
	/** Lends a file with the template's content. */
	lend(): LentFile;
	close(): void;
}

/** @param template a database that is closed */
export function openLentFiles(dir: string, template: string): LentFiles {
	const files: LentFile[] = [];
	return {
		lend() {
			let file = files.find(({ isLent }) => !isLent);
			if (!file) {
				file = new LentFile(join(dir, `lent-${files.length}.db`));
				copyFileSync(template, file.path);
				files.push(file);
			}
			file.isLent = true;
			file.reset(template);
			return file;
		},
		close() {
			for (const file of files) file.close();
		},
	};
}
