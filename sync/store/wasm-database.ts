import type {
	Database,
	PreparedStatement,
	Sqlite3Static,
} from "@sqlite.org/sqlite-wasm";
import type { SqliteDatabase, SqliteStatement } from "./sqlite-connection.ts";
import type { DbRow, Value } from "./store.ts";

/** SQLite as WebAssembly, once for all databases of a thread. */
export interface WasmSqlite {
	sqlite3: Sqlite3Static;
	said: Said;
}

/** What the package says on the way, which would go to the console. */
export interface Said {
	/** What the browser's files threw last; an answer of SQLite's says no more of it than that the disk failed. */
	fault: unknown;
	/** The last thing that it wondered at. */
	doubt: string | undefined;
	/** It is not to go on then. */
	isDoubtFinal: boolean;
}

/** Starts it: the package's own function, and what that takes besides what its types tell. */
export async function startWasmSqlite(
	init: (options?: object) => Promise<Sqlite3Static>,
	options: { wasmBinary?: Uint8Array } = {},
): Promise<WasmSqlite> {
	const said: Said = {
		fault: undefined,
		doubt: undefined,
		isDoubtFinal: false,
	};
	const sqlite3ApiConfig = {
		error: (...words: unknown[]) => {
			said.fault = words.at(-1);
		},
		warn: (...words: unknown[]) => {
			said.doubt = words.join(" ");
			if (said.isDoubtFinal) throw new Error(said.doubt);
		},
		// They want a thread or headers of their own, or are not for workers.
		disable: {
			vfs: { opfs: true, "opfs-vfs": true, "opfs-wl": true, kvvfs: true },
		},
	};
	// It is taken from there once, when the package starts.
	Object.assign(globalThis, { sqlite3ApiConfig });
	return { sqlite3: await init(options), said };
}

/**
 * What is called for every statement, without the package's conversions: they would take longer than a short statement does.
 * Pointers are plain numbers.
 */
interface Calls {
	sqlite3_malloc(bytes: number): number;
	sqlite3_free(at: number): void;
	sqlite3_bind_double(statement: number, i: number, value: number): number;
	sqlite3_bind_null(statement: number, i: number): number;
	/** @param forgetting 0 where the text stays in its place until the statement is over */
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

/** In the package's words. */
const shortWrite = "Unknown write() failure.";
/** What SQLite answers. */
const codes = { noMemory: 7, row: 100, done: 101 };
const types = { text: 3, null: 5 };
/** UTF-8 takes no more for a unit of UTF-16. */
const bytesPerUnit = 3;
/** Room for the texts of one statement. */
const roomMin = 64_000;
const encoder = /* @__PURE__ */ new TextEncoder();
/** A byte order mark is a part of a text. */
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });

/** A connection to a database of SQLite as WebAssembly. */
export class WasmDatabase implements SqliteDatabase {
	readonly readonly = false;
	readonly sqlite: WasmSqlite;
	readonly calls: Calls;
	readonly #db: Database;
	readonly #pointer: number;
	#room = 0;
	#roomBytes = 0;

	/** @param vfs names what its files are kept in */
	constructor(sqlite: WasmSqlite, filename: string, vfs?: string) {
		this.sqlite = sqlite;
		this.calls = sqlite.sqlite3.wasm.exports;
		this.#db = this.tried(
			() => new sqlite.sqlite3.oo1.DB({ filename, flags: "c", vfs }),
		);
		this.#pointer = this.#db.pointer as number;
	}

	get inTransaction(): boolean {
		return this.calls.sqlite3_get_autocommit(this.#pointer) === 0;
	}

	/** How many rows were changed since it was opened, and how many of them last. */
	get changes(): { all: number; last: number } {
		return {
			all: this.calls.sqlite3_total_changes(this.#pointer),
			last: this.calls.sqlite3_changes(this.#pointer),
		};
	}

	prepare(sql: string): WasmStatement {
		return this.tried(() => new WasmStatement(this, this.#db.prepare(sql)));
	}

	exec(sql: string): void {
		this.tried(() => this.#db.exec(sql));
	}

	/** Puts all that it holds in the place of what another one has. */
	copyInto(other: WasmDatabase): void {
		this.tried(() => {
			const { capi } = this.sqlite.sqlite3;
			const copying = capi.sqlite3_backup_init(
				...([other.#db, "main", this.#db, "main"] as const),
			);
			const code = capi.sqlite3_backup_step(copying, -1);
			capi.sqlite3_backup_finish(copying);
			if (code !== codes.done) this.fail(code);
		});
	}

	/** Whatever is left of its statements goes with it. */
	close(): void {
		this.calls.sqlite3_free(this.#room);
		this.#room = 0;
		this.#db.close();
	}

	/** Memory for so many bytes, until it is asked for again. */
	roomFor(bytes: number): number {
		if (this.#room === 0 || bytes > this.#roomBytes) {
			this.calls.sqlite3_free(this.#room);
			this.#roomBytes = Math.max(bytes, roomMin);
			this.#room = this.calls.sqlite3_malloc(this.#roomBytes);
			if (this.#room === 0) this.fail(codes.noMemory);
		}
		return this.#room;
	}

	/** @throws what went wrong, under SQLite's name for it */
	tried<T>(work: () => T): T {
		const { said, sqlite3 } = this.sqlite;
		said.fault = undefined;
		try {
			return work();
		} catch (error) {
			if (isNoRoom(said.fault))
				throw Object.assign(new Error("No room", { cause: said.fault }), {
					code: "SQLITE_FULL",
				});
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
	readonly #calls: Calls;
	readonly #statement: PreparedStatement;
	readonly #pointer: number;
	/** How many parameters. */
	readonly #wanted: number;
	readonly #names: string[];

	constructor(db: WasmDatabase, statement: PreparedStatement) {
		this.#db = db;
		this.#calls = db.calls;
		this.#statement = statement;
		this.#pointer = statement.pointer as number;
		this.#wanted = statement.parameterCount;
		// It does not ask for the names of none.
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
		return this.#db.tried(() => {
			try {
				this.#bind(params);
				return work();
			} finally {
				// It says again what the last step said.
				this.#calls.sqlite3_reset(this.#pointer);
				this.#calls.sqlite3_clear_bindings(this.#pointer);
			}
		});
	}

	/** Texts lie one behind the other in memory that is theirs until the statement is over. */
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

	/** @returns whether it came to a row */
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

/** A browser says so, or writes less than it was given and says nothing: Chromium does. */
function isNoRoom(fault: unknown): boolean {
	const { name, message } = (fault ?? {}) as {
		name?: string;
		message?: string;
	};
	return name === "QuotaExceededError" || message === shortWrite;
}

/** @returns how many bytes it takes */
function writeText(text: string, heap: Uint8Array, at: number): number {
	return encoder.encodeInto(text, heap.subarray(at)).written;
}
