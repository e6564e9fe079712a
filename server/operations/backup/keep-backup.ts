import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { toStorageError } from "../../../sync/store/storage-error.ts";
import type { Store } from "../../../sync/store/store.ts";
import { databaseFile } from "../database.ts";
import { diskMinBytes, readDisk, spareOf } from "../disk.ts";
import { type BackupCopy, writeBackup } from "./backup.ts";
import { BackupError, type BackupTrouble } from "./backup-error.ts";
import { assertDiskSpace, databaseSize } from "./disk-space.ts";
import {
	type BackupFile,
	backupName,
	isProven,
	listBackups,
	oldestFirst,
	removeUnfinished,
} from "./own-backups.ts";
import { thin } from "./thin.ts";

/** A directory in which the server keeps backups: on its own disk, or on the one that its operator named. */
export interface BackupPlace {
	dir: string;
	isOther: boolean;
}

/** What became of a backup in one place. */
export interface BackupReport extends BackupPlace {
	/** The newest first. */
	files: (BackupFile & { isProven: boolean })[];
	made: BackupCopy | null;
	deleted: string[];
	problem: { trouble: BackupTrouble; message: string } | null;
}

interface Options {
	dataDir: string;
	now: number;
	/** False only to look at what is there. */
	isDue: boolean;
	/** Reads the original. */
	read: Store["read"];
}

/** Makes a backup in one place, after it has made room, and deletes those that are superfluous then. Never throws. */
export async function keepBackup(
	place: BackupPlace,
	{ dataDir, now, isDue, read }: Options,
): Promise<BackupReport> {
	const { dir, isOther } = place;
	const deleted: string[] = [];
	let made: BackupCopy | null = null;
	let problem: BackupReport["problem"] = null;
	const remove = (names: readonly string[]) => {
		for (const name of names) {
			rmSync(join(dir, name), { force: true });
			deleted.push(name);
		}
	};
	try {
		if (isOther) assertOtherDisk(dir, dataDir);
		if (isDue) {
			mkdirSync(dir, { recursive: true, mode: 0o700 });
			removeUnfinished(dir, now);
			remove(await superfluous(dir, now));
			await makeRoom(
				place,
				databaseSize(databaseFile({ dataDir })),
				now,
				remove,
			);
			const file = join(dir, backupName(now));
			const options = { dataDir, file, canLink: !isOther };
			made = await writeBackup(options, now, read);
			remove(await superfluous(dir, now));
		}
	} catch (error) {
		problem = toProblem(error, dir);
	}
	const files: BackupReport["files"] = [];
	try {
		for (const file of isThere(dir) ? listBackups(dir) : [])
			files.push({ ...file, isProven: await isProven(join(dir, file.name)) });
	} catch (error) {
		problem ??= toProblem(error, dir);
	}
	return { dir, isOther, files, made, deleted, problem };
}

/**
 * A path on the shop's own disk is the mount point of a disk that is away: what is written there would fill the wrong one.
 *
 * @throws BackupError
 */
function assertOtherDisk(dir: string, dataDir: string): void {
	let there = dir;
	while (!existsSync(there)) there = dirname(there);
	if (statSync(there).dev === statSync(dataDir).dev)
		throw new BackupError(
			`${dir} (BACKUP_DIR) is not on another disk than DATA_DIR; mount its disk`,
			{ trouble: "missing" },
		);
}

/** Thins the good backups and the others apart: one that a disk has damaged stays in no good one's place. */
async function superfluous(dir: string, now: number): Promise<string[]> {
	const files = listBackups(dir);
	const good = new Set<BackupFile>();
	for (const file of files)
		if (await isProven(join(dir, file.name))) good.add(file);
	const timesOf = (some: readonly BackupFile[]) =>
		some.map(({ at }) => Date.parse(at));
	const others = files.filter((file) => !good.has(file));
	const old = new Set([
		...thin(timesOf([...good]), now),
		...thin(timesOf(others), now),
	]);
	return files
		.filter(({ at }) => old.has(Date.parse(at)))
		.map(({ name }) => name);
}

/**
 * Deletes the oldest backups until there is room for another one; on the shop's own disk also for what the shop will write. The
 * newest good one stays.
 *
 * @throws BackupError if there is no room anyway
 */
async function makeRoom(
	{ dir, isOther }: BackupPlace,
	bytes: number,
	now: number,
	remove: (names: readonly string[]) => void,
): Promise<void> {
	const files = oldestFirst(listBackups(dir), now);
	let good: BackupFile | undefined;
	for (const file of files.toReversed())
		if (!good && (await isProven(join(dir, file.name)))) good = file;
	for (const file of files) {
		const disk = await readDisk(dir);
		const spare = isOther ? 0 : spareOf(disk);
		if (disk.freeBytes >= bytes + spare) return;
		if (file !== good) remove([file.name]);
	}
	const least = isOther ? bytes : bytes + diskMinBytes;
	await assertDiskSpace(dir, least, "a backup");
}

function toProblem(error: unknown, dir: string): BackupReport["problem"] {
	const known = toStorageError(error);
	if (known instanceof BackupError)
		return { trouble: known.trouble, message: known.message };
	if (known instanceof ShopError && known.code === "storage_full")
		return { trouble: "full", message: `The disk of ${dir} is full` };
	return { trouble: "failed", message: (known as Error).message };
}

function isThere(dir: string): boolean {
	try {
		return statSync(dir, { throwIfNoEntry: false }) !== undefined;
	} catch {
		return false;
	}
}
