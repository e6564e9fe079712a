import {
	closeSync,
	fsyncSync,
	openSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";

/**
 * Replaces a file atomically and readable only by this user: after a power cut or on a full disk it has its old content or
 * the whole of the new.
 */
export function replaceFile(file: string, text: string): void {
	const unfinished = `${file}.${process.pid}`;
	rmSync(unfinished, { force: true });
	makeFile(unfinished, text);
	renameSync(unfinished, file);
}

/**
 * Creates a file readable only by this user, or none at all if the disk is full.
 *
 * @throws a system error, such as `EEXIST` if the file exists
 */
export function makeFile(file: string, text: string): void {
	const handle = openSync(file, "wx", 0o600);
	try {
		// Loop, because a nearly full disk accepts partial writes.
		writeFileSync(handle, text);
		fsyncSync(handle);
	} catch (error) {
		rmSync(file, { force: true });
		throw error;
	} finally {
		closeSync(handle);
	}
}
