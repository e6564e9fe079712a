import { statSync } from "node:fs";
import { readDisk } from "../disk.ts";
import { BackupError } from "./backup-error.ts";

/**
 * Checks before a long copy that the disk has room for it.
 *
 * @param dir an existing directory on the disk
 * @param what the thing to be written, for the message
 * @throws BackupError if there is not enough room
 */
export async function assertDiskSpace(
	dir: string,
	bytes: number,
	what: string,
): Promise<void> {
	const { freeBytes } = await readDisk(dir);
	if (freeBytes < bytes)
		throw new BackupError(
			`The disk of ${dir} has no room for ${what}: it needs ${toMegabytes(bytes)}, and ${toMegabytes(freeBytes)} are free. Free some space and try again`,
			{ trouble: "full" },
		);
}

/** Bytes of a database with its write-ahead log; 0 if it doesn't exist. */
export function databaseSize(file: string): number {
	return [file, `${file}-wal`]
		.map((name) => statSync(name, { throwIfNoEntry: false })?.size ?? 0)
		.reduce((sum, bytes) => sum + bytes, 0);
}

function toMegabytes(bytes: number): string {
	return `${Math.ceil(bytes / 1e6)} MB`;
}
