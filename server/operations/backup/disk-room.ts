import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { BackupError } from "./backup-error.ts";

/**
 * Checks that a disk has room before a long copy begins.
 *
 * @param dir that exists
 * @param what is to be written, as the message names it
 * @throws BackupError
 */
export async function assertRoom(
	dir: string,
	bytes: number,
	what: string,
): Promise<void> {
	const { bavail, bsize } = await statfs(dir);
	const freeBytes = bavail * bsize;
	if (freeBytes < bytes)
		throw new BackupError(
			`The disk of ${dir} has no room for ${what}: ${toMegabytes(bytes)} are needed and ${toMegabytes(freeBytes)} are free. Make room there and try again`,
		);
}

/** The size of a database with its write-ahead log; 0 where there is none. */
export function databaseSize(file: string): number {
	return [file, `${file}-wal`]
		.map((name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0)
		.reduce((sum, bytes) => sum + bytes, 0);
}

function toMegabytes(bytes: number): string {
	return `${Math.ceil(bytes / 1e6)} MB`;
}
