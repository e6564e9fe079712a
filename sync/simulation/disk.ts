import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openSqlite } from "../store/sqlite.ts";
import type { Connection, OnStatement, Store } from "../store/store.ts";
import type { LentFile } from "./lent-files.ts";

/** The failures of a statement on a machine that goes on. */
export type DiskFault = "full" | "failed" | "busy" | "lost";

/** The disk of a machine's database. Its images last as long as the run. */
export interface Disk {
	/** Opens the database in its current state. */
	open(onStatement: OnStatement): Promise<Store>;
	/**
	 * Takes an image of the disk, in the middle of other work.
	 *
	 * @returns the image's path or name
	 */
	copy(): Promise<string>;
	/** Replaces the content by an image that no machine has open. */
	load(image: string): Promise<void>;
	/** Cuts the power: the next opening finds the disk as it was at this moment, whatever work goes on. */
	cut(): void;
	/** The faults that statements on this store can meet. */
	readonly faults: readonly DiskFault[];
	/** A fault as the error that this store throws; "gone" after the machine has died. */
	toError(fault: DiskFault | "gone"): Error;
	/** Returns true if a crash has not damaged the database. */
	isWhole(tx: Connection): Promise<boolean>;
}

const codes = {
	full: "SQLITE_FULL",
	failed: "SQLITE_IOERR_WRITE",
	busy: "SQLITE_BUSY",
	// A file is local: no connection to it can be lost.
	lost: "SQLITE_IOERR",
	gone: "SQLITE_IOERR",
} as const;

/**
 * Opens a disk for files, which uses a new file after each cut and each load.
 *
 * @param dir for its files
 * @param from the image to start with, or the file to start on
 */
export function openFileDisk(
	dir: string,
	name: string,
	from: string | LentFile,
): Disk {
	let files = 0;
	let file = typeof from === "string" ? copyOf(from) : from.path;

	function copyOf(image: string): string {
		const to = join(dir, `${name}-${files}.db`);
		files += 1;
		copyFileSync(image, to);
		if (existsSync(`${image}-wal`)) copyFileSync(`${image}-wal`, `${to}-wal`);
		return to;
	}

	return {
		open(onStatement) {
			const isLent = typeof from !== "string" && file === from.path;
			return openSqlite(file, {
				onStatement,
				...(isLent && { open: from.open.bind(from) }),
			});
		},
		copy: async () => copyOf(file),

		async load(image) {
			file = copyOf(image);
		},

		cut() {
			file = copyOf(file);
		},

		faults: ["full", "failed", "busy"],

		toError: (fault) =>
			new Database.SqliteError(`simulated ${codes[fault]}`, codes[fault]),

		isWhole,
	};
}

/** Runs SQLite's own integrity check. */
export async function isWhole(tx: Connection): Promise<boolean> {
	const [integrity] = await tx.all("PRAGMA integrity_check");
	const foreign = await tx.all("PRAGMA foreign_key_check");
	return integrity?.integrity_check === "ok" && foreign.length === 0;
}
