import {
	closeSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";

/**
 * Writes a file that only this user can read. It is as it was or as it is to be, whenever the power goes and wherever
 * the disk is full.
 */
export function replaceFile(file: string, text: string): void {
	const unfinished = `${file}.${process.pid}`;
	rmSync(unfinished, { force: true });
	makeFile(unfinished, text);
	renameSync(unfinished, file);
}

/**
 * Makes a file that only this user can read and that nobody has made yet, and leaves none where there is no room.
 *
 * @throws a system error: `EEXIST` where it is there already
 */
export function makeFile(file: string, text: string): void {
	const handle = openSync(file, "wx", 0o600);
	try {
		// Also what a nearly full disk takes in parts.
		writeFileSync(handle, text);
		fsyncSync(handle);
	} catch (error) {
		rmSync(file, { force: true });
		throw error;
	} finally {
		closeSync(handle);
	}
}
