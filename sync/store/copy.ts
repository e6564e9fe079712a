import { closeSync, fsyncSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { ShopError } from "../protocol/errors.ts";
import { toStorageError } from "./storage-error.ts";

/** What the thread is asked to do; a copy of many megabytes must not hold up anybody's event loop. */
export type Job =
	| { from: string; to: string }
	| { check: string; givesWay?: boolean | undefined };
export type Done = null | Pick<ShopError, "code" | "message">;

/**
 * Writes a database, as it is at one moment, into an empty or missing file. Others go on reading and writing: it is a
 * long read for them.
 *
 * @throws ShopError `not_a_database`, `storage_*`
 */
export function copyDatabase(from: string, to: string): Promise<void> {
	return inThread({ from, to });
}

/**
 * Looks at every page of a database and at every entry of its indexes. Others go on reading and writing.
 *
 * @param options.givesWay works table by table, and only while nobody else wants the processor
 * @throws ShopError `storage_failed`
 */
export function checkDatabase(
	file: string,
	{ givesWay, signal }: { givesWay?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
	return inThread({ check: file, givesWay }, signal);
}

function inThread(job: Job, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const url = new URL("./copy-worker.ts", import.meta.url);
		const worker = new Worker(url, { workerData: job });
		signal?.addEventListener("abort", () => void worker.terminate());
		worker.on("message", (failure: Done) => {
			if (failure) reject(new ShopError(failure.code, failure.message));
			else resolve();
		});
		worker.on("error", reject);
		worker.on("exit", () => reject(new Error("The copying thread has ended")));
	});
}

/** Makes a closed database one durable file, which can also be read where nothing can be written. */
export function settleFile(file: string): void {
	if (!leaveWal(file))
		throw new ShopError("storage_busy", "Another process opened the copy");
	syncFile(file);
}

/**
 * True while any process has the database open. One that is damaged, or none, is nobody's.
 *
 * @throws ShopError `storage_failed` where this user may not know
 */
export function isInUse(file: string): boolean {
	try {
		return !leaveWal(file);
	} catch (error) {
		const { cause } = error as Error;
		const isUnreadable =
			cause instanceof Database.SqliteError &&
			/^SQLITE_(CORRUPT|NOTADB)/.test(cause.code);
		if (isUnreadable) return false;
		throw error;
	}
}

/** Only who is alone with a database may end its write-ahead log; whoever opens it next begins another. */
function leaveWal(file: string): boolean {
	let db: Database.Database | undefined;
	try {
		db = new Database(file, { fileMustExist: true, timeout: 100 });
		return db.pragma("journal_mode = DELETE", { simple: true }) === "delete";
	} catch (error) {
		const known = toStorageError(error);
		if (known instanceof ShopError && known.code === "storage_busy")
			return false;
		throw known;
	} finally {
		db?.close();
	}
}

/** Waits until a file is on the disk. */
function syncFile(file: string): void {
	const handle = openSync(file, "r+");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}

/** Waits until the names in a directory are on the disk, where the system can tell. */
export function syncNames(dir: string): void {
	if (process.platform === "win32") return;
	const handle = openSync(dir, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
