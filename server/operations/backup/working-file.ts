import { rmSync } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { BackupError } from "./backup-error.ts";

/** A file that hasn't grown for this long was left by a killed process. */
const abandonedMs = 3_600_000;

export function isAbandoned(mtimeMs: number, now: number): boolean {
	return now - mtimeMs > abandonedMs;
}

/**
 * Creates a temporary database file for `work`. Only the owner can read it, because it will contain the shop's takings and
 * password hashes.
 *
 * @param work renames the file when it is complete; if it fails, the file is removed
 * @throws BackupError if another process is writing the file, or the disk is full
 */
export async function withWorkingFile<T>(
	file: string,
	name: "backup" | "restore",
	work: () => Promise<T>,
): Promise<T> {
	await makeOwnFile(file, name);
	const letGo = removeWhenKilled(file);
	try {
		return await work();
	} catch (error) {
		await removeDatabase(file);
		const isFull = error instanceof ShopError && error.code === "storage_full";
		if (!isFull) throw error;
		// Name the disk of the file being written; the source may be on another one.
		throw new BackupError(
			`The disk of ${dirname(file)} is full; free some space and try again`,
			{ cause: error, trouble: "full" },
		);
	} finally {
		letGo();
	}
}

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Removes a file before a signal ends the process. If the program handles the signal itself, the file is finished instead.
 *
 * @returns a function that removes the signal handlers
 */
function removeWhenKilled(file: string): () => void {
	const onSignal = (signal: NodeJS.Signals) => {
		for (const suffix of suffixes) rmSync(file + suffix, { force: true });
		letGo();
		process.kill(process.pid, signal);
	};
	const watched = signals.filter(
		(signal) => process.listenerCount(signal) === 0,
	);
	for (const signal of watched) process.on(signal, onSignal);
	const letGo = () => {
		for (const signal of watched) process.off(signal, onSignal);
	};
	return letGo;
}

async function makeOwnFile(file: string, name: string): Promise<void> {
	try {
		await (await open(file, "wx", 0o600)).close();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		throw new BackupError(
			`Another ${name} is writing ${file}; if none is running, delete that file`,
		);
	}
}

export async function removeAbandoned(
	file: string,
	now: number,
): Promise<void> {
	try {
		if (!isAbandoned((await stat(file)).mtimeMs, now)) return;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		return;
	}
	await removeDatabase(file);
}

/** Suffixes of the files SQLite creates beside a database, and the database's own. */
const suffixes = ["-wal", "-shm", "-journal", ""];

/** Deletes a database and its side files. The database goes last: while it exists, no other process uses its name. */
export async function removeDatabase(file: string): Promise<void> {
	for (const suffix of suffixes) await rm(file + suffix, { force: true });
}
