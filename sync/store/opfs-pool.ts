import { ShopError } from "../protocol/errors.ts";
import type { AccessHandle } from "./joined-writes.ts";
import { toOpeningError } from "./storage-error.ts";
import type { WasmSqlite } from "./wasm-database.ts";

/*
 * The pool of files ("SAHPool", a part of SQLite's package) that holds a database in the browser's origin private file
 * system (OPFS). Each file is opened once, by this worker alone; its first 4,096 bytes say which file of SQLite it is:
 *
 *   <directory>/.opaque/k3x9…   "/shop.db",     flags, digest of both | the database
 *                      /a01b…   "/shop.db-wal", flags, digest of both | its log
 *                      /…       unused
 */

/** Files for a database, its log and its journal, which the first step to a log needs, and a spare. */
const poolFiles = 4;

const headerBytes = 4_096;
const namedBytes = 516;

export type Pool = Awaited<
	ReturnType<WasmSqlite["sqlite3"]["installOpfsSAHPoolVfs"]>
>;

/**
 * Opens the files in a directory, or creates them. If that fails, they stay unchanged.
 *
 * @throws ShopError `storage_busy` if another tab has them open, `storage_full`, `storage_failed`
 */
export async function openPool(
	sqlite: WasmSqlite,
	directory: string,
): Promise<Pool> {
	try {
		return await openChecked(sqlite, directory);
	} catch (error) {
		throw toOpeningError(error);
	}
}

/**
 * Opens the pool with a check: it empties a file with a damaged name and only logs a warning first, which this turns
 * into an error unless emptying is right.
 */
async function openChecked(
	sqlite: WasmSqlite,
	directory: string,
): Promise<Pool> {
	const { messages } = sqlite;
	messages.warning = undefined;
	messages.isWarningFatal = true;
	try {
		return await install(sqlite, directory);
	} catch (error) {
		if (messages.warning === undefined) throw error;
	} finally {
		messages.isWarningFatal = false;
	}
	await assertUndamaged(directory);
	return install(sqlite, directory);
}

async function install(
	{ sqlite3 }: WasmSqlite,
	directory: string,
): Promise<Pool> {
	// In this thread; other threads find its files locked.
	if (sqlite3.capi.sqlite3_vfs_find(directory))
		throw new ShopError("storage_busy", "The database is open already");
	let pool: Pool | undefined;
	const how = {
		name: directory,
		directory,
		initialCapacity: poolFiles,
		// By default, the pool deletes all files if one of them can't be opened.
		preserveOnInitFailure: true,
		forceReinitIfPreviouslyFailed: true,
		// Log errors only.
		verbosity: 1,
	};
	try {
		pool = await sqlite3.installOpfsSAHPoolVfs(how);
		// A closed pool stays installed, without its files.
		await pool.unpauseVfs();
		// If an earlier start was cut off while creating the files, some are missing.
		await pool.reserveMinimumCapacity(poolFiles);
		return pool;
	} catch (error) {
		pool?.pauseVfs();
		throw error;
	}
}

/** The part of the browser's types that is needed here. */
interface Directory extends AsyncIterable<[string, Directory | File]> {
	getDirectoryHandle(name: string): Promise<Directory>;
}

interface File {
	getFile(): Promise<Blob>;
	createSyncAccessHandle(): Promise<AccessHandle>;
}

async function* filesOf(directory: string): AsyncGenerator<[string, File]> {
	const { storage } = navigator as unknown as {
		storage: { getDirectory(): Promise<Directory> };
	};
	let at = await storage.getDirectory();
	for (const name of `${directory}/.opaque`.split("/"))
		if (name !== "") at = await at.getDirectoryHandle(name);
	for await (const [name, entry] of at)
		if ("createSyncAccessHandle" in entry) yield [name, entry];
}

/**
 * Reads the files by their names in the pool ("/shop.db") without opening the database, even if it can't be opened. A
 * file with a damaged name keeps the name that it has in the directory. A database's log belongs to it.
 */
export async function readPool(directory: string): Promise<Map<string, Blob>> {
	const found = new Map<string, Blob>();
	for await (const [own, entry] of filesOf(directory)) {
		const file = await entry.getFile();
		if (file.size <= headerBytes) continue;
		const header = await file.slice(0, headerBytes).arrayBuffer();
		const name = isDamaged(new Uint8Array(header)) ? "" : nameIn(header);
		found.set(name || own, file.slice(headerBytes));
	}
	return found;
}

function nameIn(header: ArrayBuffer): string {
	const [name = ""] = new TextDecoder().decode(header).split("\0", 1);
	return name;
}

/** @throws ShopError `storage_failed` if a file with content has a damaged name */
async function assertUndamaged(directory: string): Promise<void> {
	for await (const [, file] of filesOf(directory)) {
		const handle = await file.createSyncAccessHandle();
		try {
			const header = new Uint8Array(headerBytes);
			handle.read(header, { at: 0 });
			if (handle.getSize() > headerBytes && isDamaged(header))
				throw new ShopError(
					"storage_failed",
					"A file of the database is damaged",
				);
		} finally {
			handle.close();
		}
	}
}

/** A half-written name is one that was being removed, or that was being given to a file without content. */
function isDamaged(header: Uint8Array): boolean {
	const named = header.subarray(0, namedBytes);
	const [one, two] = new Uint32Array(
		header.slice(namedBytes, namedBytes + 8).buffer,
	);
	const isNobodys = named[0] === 0 || (one === 0 && two === 0);
	let a = 0xdeadbeef;
	let b = 0x41c6ce57;
	for (const byte of named) {
		a = Math.imul(a ^ byte, 2_654_435_761);
		b = Math.imul(b ^ byte, 104_729);
	}
	return !isNobodys && (one !== a >>> 0 || two !== b >>> 0);
}
