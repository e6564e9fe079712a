import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openSqlite } from "../store/sqlite.ts";
import type { Connection, OnStatement, Store } from "../store/store.ts";
import type { LentFile, LentFiles } from "./lent-files.ts";

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

interface FileDiskOptions {
	/** For its images and its files after a cut. */
	dir: string;
	name: string;
	/** The image to start with. */
	from: string;
	files: LentFiles;
}

/**
 * Opens a disk for files. Each image is loaded into a file that other machines have used before; after a cut it goes on
 * with a new file, which nothing has read before.
 */
export function openFileDisk({
	dir,
	name,
	from,
	files,
}: FileDiskOptions): Disk {
	let copies = 0;
	let lent: LentFile | undefined = files.lend(from);
	let file = lent.path;

	function copyOf(image: string): string {
		const to = join(dir, `${name}-${copies}.db`);
		copies += 1;
		copyFileSync(image, to);
		if (existsSync(`${image}-wal`)) copyFileSync(`${image}-wal`, `${to}-wal`);
		return to;
	}

	return {
		open: (onStatement) =>
			openSqlite(file, { onStatement, open: lent?.open.bind(lent) }),
		copy: async () => copyOf(file),

		async load(image) {
			lent = files.lend(image);
			file = lent.path;
		},

		cut() {
			file = copyOf(file);
			lent = undefined;
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
