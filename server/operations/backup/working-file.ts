import { rmSync } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { BackupError } from "./backup-error.ts";

/** One that has not grown for so long was left by a process that was killed. */
const abandonedMs = 3_600_000;

export function isAbandoned(mtimeMs: number, now: number): boolean {
	return now - mtimeMs > abandonedMs;
}

/**
 * Makes an empty database for as long as `work` takes, and for nobody else to read: it will hold what the shop earns and
 * the hashes of passwords.
 *
 * @param work ends with giving it its name, by which it belongs to others; where it fails, the file is removed
 * @throws BackupError where another process has it, or there is no room for it
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
		// What is read may be on another disk, where there is room.
		throw new BackupError(
			`The disk of ${dirname(file)} is full; make room there and try again`,
			{ cause: error },
		);
	} finally {
		letGo();
	}
}

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Removes a file before a signal ends the process. A program that has a use of its own for the signal finishes the file.
 *
 * @returns undoes it
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
			`Another ${name} is writing ${file}; if none runs any more, remove that file`,
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

/** What SQLite lays beside a database, and the file itself. */
const suffixes = ["-wal", "-shm", "-journal", ""];

/** The file itself last: until then nobody else takes its name, and the others are none of theirs. */
export async function removeDatabase(file: string): Promise<void> {
	for (const suffix of suffixes) await rm(file + suffix, { force: true });
}
