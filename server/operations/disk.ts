import { statfs } from "node:fs/promises";

/** Below this, sales soon fill the disk. */
export const diskMinBytes = 200_000_000;

interface Disk {
	/** What a program without special rights may still write. */
	freeBytes: number;
	bytes: number;
}

/** @param dir an existing directory on the disk */
export async function readDisk(dir: string): Promise<Disk> {
	const { bavail, blocks, bsize } = await statfs(dir);
	return { freeBytes: bavail * bsize, bytes: blocks * bsize };
}
