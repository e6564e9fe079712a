import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openSqlite } from "../store/sqlite.ts";
import type { Connection, OnStatement, Store } from "../store/store.ts";

/** Ways in which a statement fails on a machine that goes on. */
export type DiskFault = "full" | "failed" | "busy" | "lost";

/** What a machine keeps its database on. Images of it are there as long as the run. */
export interface Disk {
	/** Opens the database as it lies there. */
	open(onStatement: OnStatement): Promise<Store>;
	/** An image of it in this moment, in the middle of whatever goes on. @returns its path, or its name */
	copy(): Promise<string>;
	/** It holds what an image does from now on, which nobody has open meanwhile. */
	load(image: string): Promise<void>;
	/** The power is gone: what is opened next is what lay there in this moment, whatever goes on. */
	cut(): void;
	/** What statements may meet on this kind of database. */
	readonly faults: readonly DiskFault[];
	/** A statement's failure as this kind of database throws it; "gone" where there is nobody any more. */
	toError(fault: DiskFault | "gone"): Error;
	/** What a crash did not damage. */
	isWhole(tx: Connection): Promise<boolean>;
}

const codes = {
	full: "SQLITE_FULL",
	failed: "SQLITE_IOERR_WRITE",
	busy: "SQLITE_BUSY",
	// A file is on the machine itself: there is no way to it that could be lost.
	lost: "SQLITE_IOERR",
	gone: "SQLITE_IOERR",
} as const;

/**
 * A file of its own, which is another one after each cut and each load.
 *
 * @param dir where its files are
 * @param from the image that it begins with
 */
export function openFileDisk(dir: string, name: string, from: string): Disk {
	let files = 0;
	let file = copyOf(from);

	function copyOf(image: string): string {
		const to = join(dir, `${name}-${files}.db`);
		files += 1;
		copyFileSync(image, to);
		if (existsSync(`${image}-wal`)) copyFileSync(`${image}-wal`, `${to}-wal`);
		return to;
	}

	return {
		open: (onStatement) => openSqlite(file, { onStatement }),
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

/** What SQLite itself finds right. */
export async function isWhole(tx: Connection): Promise<boolean> {
	const [integrity] = await tx.all("PRAGMA integrity_check");
	const foreign = await tx.all("PRAGMA foreign_key_check");
	return integrity?.integrity_check === "ok" && foreign.length === 0;
}
