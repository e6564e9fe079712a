import type {
	Database,
	PreparedStatement,
	Sqlite3Static,
} from "@sqlite.org/sqlite-wasm";
import { joinOpenedFiles, joinWrites } from "./joined-writes.ts";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-connection.ts";
import type { DbRow, Value } from "./store.ts";

/** SQLite as WebAssembly, shared by all databases of a thread. */
export interface WasmSqlite {
	sqlite3: Sqlite3Static;
	messages: Messages;
}

/** Messages of SQLite's package, which would otherwise go to the console. */
interface Messages {
	/** The last error of the browser's file system; SQLite itself only reports that the disk failed. */
	fileError: unknown;
	/** The last warning. */
	warning: string | undefined;
	/** Whether a warning stops the package. */
	isWarningFatal: boolean;
}

/** Starts SQLite with options that the package's types lack. */
export async function startWasmSqlite(
	init: (options?: object) => Promise<Sqlite3Static>,
	options: { wasmBinary?: Uint8Array } = {},
): Promise<WasmSqlite> {
	const messages: Messages = {
		fileError: undefined,
		warning: undefined,
		isWarningFatal: false,
	};
	const sqlite3ApiConfig = {
		error: (...words: unknown[]) => {
			messages.fileError = words.at(-1);
		},
		warn: (...words: unknown[]) => {
			messages.warning = words.join(" ");
			if (messages.isWarningFatal) throw new Error(messages.warning);
		},
		// These need another thread or special headers, or do not work in workers.
		disable: {
			vfs: { opfs: true, "opfs-vfs": true, "opfs-wl": true, kvvfs: true },
		},
	};
	// The package reads its configuration from there once, at its start.
	Object.assign(globalThis, { sqlite3ApiConfig });
	joinOpenedFiles();
	return { sqlite3: await init(options), messages };
}

/**
 * The C functions that every statement needs, called without the package's conversions, which take longer than a short
 * statement. Pointers are plain numbers.
 */
interface Calls {
	sqlite3_malloc(bytes: number): number;
	sqlite3_free(at: number): void;
	sqlite3_bind_double(statement: number, i: number, value: number): number;
	sqlite3_bind_null(statement: number, i: number): number;
	/** @param forgetting 0 if the text stays in its place until the statement has ended */
	sqlite3_bind_text(
		...args: [
			...[statement: number, i: number],
			...[at: number, bytes: number, forgetting: number],
		]
	): number;
	sqlite3_clear_bindings(statement: number): number;
	sqlite3_step(statement: number): number;
	sqlite3_reset(statement: number): number;
	sqlite3_column_type(statement: number, i: number): number;
	sqlite3_column_double(statement: number, i: number): number;
	sqlite3_column_text(statement: number, i: number): number;
	sqlite3_column_bytes(statement: number, i: number): number;
	sqlite3_stmt_readonly(statement: number): number;
	sqlite3_changes(db: number): number;
	sqlite3_total_changes(db: number): number;
	sqlite3_get_autocommit(db: number): number;
}

/** The package's message for a write that was cut short. */
const shortWrite = "Unknown write() failure.";
/** SQLite frees the memory of a database that was given to it. */
const freeOnClose = 1;
/** SQLite's result codes. */
const codes = { noMemory: 7, row: 100, done: 101 };
const types = { text: 3, null: 5 };
/** UTF-8 takes at most so many bytes per unit of UTF-16. */
const bytesPerUnit = 3;
/** Minimum memory for the texts of one statement, in bytes. */
const roomMin = 64_000;
const loopMax = 200;
const asciiMax = 127;
const encoder = /* @__PURE__ */ new TextEncoder();
/** A byte order mark is part of the text. */
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** A connection to a database of SQLite as WebAssembly. */
export class WasmDatabase implements SqliteDatabase {
	readonly readonly = false;
	readonly sqlite: WasmSqlite;
	readonly calls: Calls;
	/** Whether a commit ends with a flush. */
	waitsForDisk = true;
	readonly #db: Database;
	readonly #pointer: number;
	#room = 0;
	#roomBytes = 0;

	/** @param vfs the name of the virtual file system that holds its files */
	constructor(sqlite: WasmSqlite, filename: string, vfs?: string) {
		this.sqlite = sqlite;
		this.calls = sqlite.sqlite3.wasm.exports;
		this.#db = this.withErrorName(
			() => new sqlite.sqlite3.oo1.DB({ filename, flags: "c", vfs }),
		);
		this.#pointer = this.#db.pointer as number;
	}

	get inTransaction(): boolean {
		return this.calls.sqlite3_get_autocommit(this.#pointer) === 0;
	}

	/** The number of changed rows, in all since the connection was opened and by the last statement. */
	get changes(): { all: number; last: number } {
		return {
			all: this.calls.sqlite3_total_changes(this.#pointer),
			last: this.calls.sqlite3_changes(this.#pointer),
		};
	}

	prepare(sql: string): WasmStatement {
		return this.withErrorName(
			() => new WasmStatement(this, sql, this.#db.prepare(sql)),
		);
	}

	exec(sql: string): void {
		this.withErrorName(() => this.joining(sql, () => this.#db.exec(sql)));
	}

	/** Runs a statement, and joins the writes of a commit. */
	joining<T>(sql: string, run: () => T): T {
		return sql === "COMMIT" ? joinWrites(run, this.waitsForDisk) : run();
	}

	/** Takes a database file's bytes for its content, in memory. */
	load(file: Uint8Array): void {
		this.withErrorName(() => {
			const { capi, wasm } = this.sqlite.sqlite3;
			const code = capi.sqlite3_deserialize(
				...([this.#db, "main", wasm.allocFromTypedArray(file)] as const),
				...([file.length, file.length] as const),
				freeOnClose,
			);
			if (code !== 0) this.fail(code);
		});
	}

	/** Replaces the content of another database by a copy of this one. */
	copyInto(other: WasmDatabase): void {
		this.withErrorName(() => {
			const { capi } = this.sqlite.sqlite3;
			const copying = capi.sqlite3_backup_init(
				...([other.#db, "main", this.#db, "main"] as const),
			);
			try {
				joinWrites(() => {
					const code = capi.sqlite3_backup_step(copying, -1);
					if (code !== codes.done) this.fail(code);
				}, true);
			} finally {
				capi.sqlite3_backup_finish(copying);
			}
		});
	}

	/** Closes the connection with its remaining statements. */
	close(): void {
		this.calls.sqlite3_free(this.#room);
		this.#room = 0;
		this.#db.close();
	}

	/** Returns memory of at least so many bytes, valid until the next call. */
	roomFor(bytes: number): number {
		if (this.#room === 0 || bytes > this.#roomBytes) {
			this.calls.sqlite3_free(this.#room);
			this.#roomBytes = Math.max(bytes, roomMin);
			this.#room = this.calls.sqlite3_malloc(this.#roomBytes);
			if (this.#room === 0) this.fail(codes.noMemory);
		}
		return this.#room;
	}

	/** @throws an error with SQLite's name for it as `code` */
	withErrorName<T>(work: () => T): T {
		const { messages, sqlite3 } = this.sqlite;
		messages.fileError = undefined;
		try {
			return work();
		} catch (error) {
			if (isNoRoom(messages.fileError))
				throw Object.assign(
					new Error("No room", { cause: messages.fileError }),
					{
						code: "SQLITE_FULL",
					},
				);
			if (error instanceof sqlite3.SQLite3Error)
				Object.assign(error, {
					code: sqlite3.capi.sqlite3_js_rc_str(error.resultCode),
				});
			throw error;
		}
	}

	fail(code: number): never {
		const { capi, SQLite3Error } = this.sqlite.sqlite3;
		const error = new SQLite3Error(code);
		error.message = capi.sqlite3_errmsg(this.#pointer);
		throw error;
	}
}

class WasmStatement implements SqliteStatement {
	readonly #db: WasmDatabase;
	readonly #sql: string;
	readonly #calls: Calls;
	readonly #statement: PreparedStatement;
	readonly #pointer: number;
	/** The number of parameters. */
	readonly #wanted: number;
	readonly #names: string[];

	constructor(db: WasmDatabase, sql: string, statement: PreparedStatement) {
		this.#db = db;
		this.#sql = sql;
		this.#calls = db.calls;
		this.#statement = statement;
		this.#pointer = statement.pointer as number;
		this.#wanted = statement.parameterCount;
		// The package fails for the names of no columns.
		this.#names = statement.columnCount > 0 ? statement.getColumnNames() : [];
	}

	get isReadOnly(): boolean {
		return this.#calls.sqlite3_stmt_readonly(this.#pointer) !== 0;
	}

	get(...params: Value[]): DbRow | undefined {
		return this.#run(params, () => (this.#step() ? this.#row() : undefined));
	}

	all(...params: Value[]): DbRow[] {
		return this.#run(params, () => {
			const rows: DbRow[] = [];
			while (this.#step()) rows.push(this.#row());
			return rows;
		});
	}

	run(...params: Value[]): { changes: number } {
		return this.#run(params, () => {
			const before = this.#db.changes.all;
			while (this.#step());
			const { all, last } = this.#db.changes;
			return { changes: all === before ? 0 : last };
		});
	}

	finalize(): void {
		this.#statement.finalize();
	}

	#run<T>(params: readonly Value[], work: () => T): T {
		return this.#db.withErrorName(() => {
			try {
				this.#bind(params);
				return this.#db.joining(this.#sql, work);
			} finally {
				// It reports the failure of the last step again.
				this.#calls.sqlite3_reset(this.#pointer);
				this.#calls.sqlite3_clear_bindings(this.#pointer);
			}
		});
	}

	/** Binds texts one behind the other in memory that is reserved until the statement has ended. */
	#bind(params: readonly Value[]): void {
		if (params.length !== this.#wanted)
			throw new RangeError(`${params.length} of ${this.#wanted} parameters`);
		let units = 0;
		for (const value of params)
			if (typeof value === "string") units += value.length;
		let at = this.#db.roomFor(units * bytesPerUnit);
		const heap = this.#db.sqlite.sqlite3.wasm.heap8u();
		for (const [i, value] of params.entries()) {
			let code: number;
			if (value === null)
				code = this.#calls.sqlite3_bind_null(this.#pointer, i + 1);
			else if (typeof value === "number")
				code = this.#calls.sqlite3_bind_double(this.#pointer, i + 1, value);
			else {
				const bytes = writeText(value, heap, at);
				code = this.#calls.sqlite3_bind_text(
					...[this.#pointer, i + 1, at, bytes, 0],
				);
				at += bytes;
			}
			if (code !== 0) this.#db.fail(code);
		}
	}

	/** @returns whether there is a row */
	#step(): boolean {
		const code = this.#calls.sqlite3_step(this.#pointer);
		if (code !== codes.row && code !== codes.done) this.#db.fail(code);
		return code === codes.row;
	}

	#row(): DbRow {
		const row: DbRow = {};
		for (let i = 0; i < this.#names.length; i += 1)
			row[this.#names[i] as string] = this.#value(i);
		return row;
	}

	#value(i: number): Value {
		switch (this.#calls.sqlite3_column_type(this.#pointer, i)) {
			case types.null:
				return null;
			case types.text:
				return this.#text(i);
			default:
				return this.#calls.sqlite3_column_double(this.#pointer, i);
		}
	}

	#text(i: number): string {
		const at = this.#calls.sqlite3_column_text(this.#pointer, i);
		const bytes = this.#calls.sqlite3_column_bytes(this.#pointer, i);
		const heap = this.#db.sqlite.sqlite3.wasm.heap8u();
		return decoder.decode(heap.subarray(at, at + bytes));
	}
}

/** A full quota raises an error, or, in Chromium, a short write without one. */
function isNoRoom(fault: unknown): boolean {
	const { name, message } = (fault ?? {}) as {
		name?: string;
		message?: string;
	};
	return name === "QuotaExceededError" || message === shortWrite;
}

/** @returns the number of bytes written */
function writeText(text: string, heap: Uint8Array, at: number): number {
	// A call of the encoder takes longer than the loop for most texts.
	if (text.length > loopMax) return encode(text, heap, at);
	for (let i = 0; i < text.length; i += 1) {
		const unit = text.charCodeAt(i);
		if (unit > asciiMax) return encode(text, heap, at);
		heap[at + i] = unit;
	}
	return text.length;
}

function encode(text: string, heap: Uint8Array, at: number): number {
	return encoder.encodeInto(text, heap.subarray(at)).written;
}
