import { statfs } from "node:fs/promises";

/** Below this, sales soon fill the disk. */
export const diskMinBytes = 200_000_000;

/** More than a shop writes in years. A tenth of a large disk that others have filled could never be had. */
const spareMaxBytes = 5_000_000_000;

/** What backups leave free on a disk that the shop and other programs write to. */
export function spareOf({ bytes }: Pick<Disk, "bytes">): number {
	return Math.max(diskMinBytes, Math.min(bytes / 10, spareMaxBytes));
}

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
