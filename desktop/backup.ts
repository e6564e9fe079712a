import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
} from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { toIso } from "../sync/clock.ts";

/**
 * Copies a database that may be in use into a folder: whole, checked, on the disk, and only then under its name.
 *
 * @returns the copy's file
 * @throws where the folder can't be written, or the copy is not sound
 */
export function backUp(
	databaseFile: string,
	folder: string,
	now: number,
): string {
	mkdirSync(folder, { recursive: true });
	const moment = toIso(now).replace(/[:.]/g, "-");
	const file = join(folder, `counterfoil-${moment}.db`);
	if (existsSync(file)) throw new Error(`There is a ${basename(file)} already`);
	const part = `${file}.part`;
	// It holds everybody's password hashes: nobody else may read it, also while it is made.
	closeSync(openSync(part, "wx", 0o600));
	try {
		copy(databaseFile, part);
		check(part);
		sync(part, "r+");
		renameSync(part, file);
	} finally {
		rmSync(part, { force: true });
	}
	// Windows has no handle of a folder to sync by.
	if (process.platform !== "win32") sync(folder, "r");
	return file;
}

function copy(from: string, to: string): void {
	const db = new Database(from, { readonly: true, fileMustExist: true });
	try {
		db.prepare("VACUUM INTO ?").run(to);
	} finally {
		db.close();
	}
}

function check(file: string): void {
	const db = new Database(file, { readonly: true });
	try {
		const found = db.pragma("integrity_check", { simple: true });
		if (found !== "ok") throw new Error(`The copy is not sound: ${found}`);
	} finally {
		db.close();
	}
}

function sync(path: string, flags: string): void {
	const handle = openSync(path, flags);
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
