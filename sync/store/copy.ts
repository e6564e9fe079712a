import { closeSync, fsyncSync, openSync } from "node:fs";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { ShopError } from "../protocol/errors.ts";
import { toStorageError } from "./storage-error.ts";

/** A job for the worker thread: a copy of many megabytes would block the event loop. */
export type Job =
	| { from: string; to: string }
	| { check: string; givesWay?: boolean | undefined };
export type Done = null | Pick<ShopError, "code" | "message">;

/**
 * Writes a snapshot of a database into an empty or missing file, while others read and write.
 *
 * @throws ShopError `not_a_database`, `storage_*`
 */
export function copyDatabase(from: string, to: string): Promise<void> {
	return inThread({ from, to });
}

/**
 * Checks every page of a database and every entry of its indexes, while others read and write.
 *
 * @param options.givesWay checks table by table at the lowest processor priority
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

/** Turns a closed database into one durable file that can be read even where nothing can be written. */
export function settleFile(file: string): void {
	if (!leaveWal(file))
		throw new ShopError("storage_busy", "Another process opened the copy");
	syncFile(file);
}

/**
 * Returns true while any process has the database open. A damaged or missing one is not in use.
 *
 * @throws ShopError `storage_failed` if this user lacks the permission to find out
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

/** Leaves WAL mode, which only works without other connections. The next one to open the database turns it on again. */
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

/** Waits until a directory's entries are on the disk, on systems that support it. */
export function syncNames(dir: string): void {
	if (process.platform === "win32") return;
	const handle = openSync(dir, "r");
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
