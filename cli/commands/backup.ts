import { rmSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { type Backup, backUp } from "../../server/operations/backup/backup.ts";
import { ownBackups } from "../../server/operations/backup/backups.ts";
import {
	backupName,
	listBackups,
	oldestFirst,
	removeUnfinished,
} from "../../server/operations/backup/own-backups.ts";
import { toIso } from "../../sync/protocol/clock.ts";
import { Command, toCount } from "./command.ts";
import { UsageError } from "./command-error.ts";
import { listCommand } from "./list-backups.ts";
import { assertFile, dataDirectory, withShop } from "./open-shop.ts";
import { showProgress } from "./print.ts";

interface Options {
	out?: string;
	every?: number;
	keep?: number;
	passwords?: boolean;
	json?: boolean;
}

export function backupCommand(): Command {
	return new Command("backup")
		.description(
			"Back up the database while it is in use, and check the copy. Pictures go into the folder pictures beside the backup. " +
				"A backup contains all of the shop's data: store it on another disk and keep it private. " +
				"A running server also makes backups by itself (BACKUP_HOURS, BACKUP_DIR)",
		)
		.option(
			"--out <path>",
			"a directory, in which each backup is named by its time, or a new file ending in .db; without it, where the server keeps its own",
		)
		.option(
			"--every <time>",
			"make a backup every 30m, 1h or 1d until stopped",
			toMs,
		)
		.option(
			"--keep <count>",
			"keep this many backups in the directory and delete older ones",
			toCount,
		)
		.option(
			"--passwords",
			"include password hashes, from which somebody who finds the backup may guess passwords",
		)
		.option("--json", "print one line of JSON per backup")
		.examples(
			"counterfoil backup --out /mnt/usb/shop",
			"counterfoil backup --out /mnt/usb/shop --every 1h --keep 48",
		)
		.action(backup)
		.addCommand(listCommand());
}

async function backup({
	out = ownBackups(dataDirectory()),
	...others
}: Options): Promise<void> {
	const options = { ...others, out };
	assertFile(
		"back it up with pg_dump, check the backup with check-backup, and copy the pictures from DATA_DIR",
	);
	const dir = isDirectory(options.out) ? resolve(options.out) : undefined;
	if (!dir && (options.every !== undefined || options.keep !== undefined))
		throw new UsageError(
			`--every and --keep need a directory, but ${options.out} is a file`,
		);
	// On a machine with few cores, sales take priority over the backup.
	setPriority(constants.priority.PRIORITY_LOW);
	const make = () => makeBackup(dir, options);
	await make();
	if (options.every !== undefined) await repeat(make, options.every);
}

/** Runs until SIGINT or SIGTERM, which lets a backup in progress finish first. */
async function repeat(
	make: () => Promise<void>,
	everyMs: number,
): Promise<void> {
	const stopping = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM"] as const)
		process.once(signal, () => stopping.abort());
	let due = performance.now() + everyMs;
	for (;;) {
		const waitMs = Math.max(0, due - performance.now());
		await sleep(waitMs, undefined, { signal: stopping.signal }).catch(
			(error) => {
				if (!stopping.signal.aborted) throw error;
			},
		);
		if (stopping.signal.aborted) return;
		due = Math.max(due + everyMs, performance.now());
		try {
			await make();
		} catch (error) {
			// A disk that is full or unplugged now may be usable for the next backup.
			console.error(
				`${toIso(Date.now())}: backup failed: ${(error as Error).message}`,
			);
		}
	}
}

async function makeBackup(
	dir: string | undefined,
	{
		out,
		keep,
		passwords: withPasswords = false,
		json,
	}: Options & { out: string },
): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const now = shop.env.now();
		const file = dir ? join(dir, backupName(now)) : resolve(out);
		if (dir) removeUnfinished(dir, now);
		const made = await backUp(shop, {
			dataDir: dataDirectory(),
			file,
			withPasswords,
			// As after those that the server makes there: it may be lost with the shop.
			isForTills: dir !== ownBackups(dataDirectory()),
			onStep: (step) => showProgress(`${step} …`),
		});
		showProgress("");
		const removed =
			dir && keep !== undefined ? removeOldest(dir, keep, now) : [];
		printBackup(made, removed, json);
		printWarnings(made, resolve(out));
	});
}

function printBackup(made: Backup, removed: string[], json = false): void {
	if (json) {
		console.log(JSON.stringify({ ...made, removed }));
		return;
	}
	const shops = made.businesses.length;
	const megabytes = (made.bytes / 1e6).toFixed(1);
	console.log(
		`Backed up ${shops} ${shops === 1 ? "business" : "businesses"} to ${made.file} (${megabytes} MB, ${made.pictures} new pictures) and checked the copy`,
	);
	if (removed.length > 0) console.log(`Deleted ${removed.join(", ")}`);
}

function printWarnings({ isOnSameDisk, damage }: Backup, out: string): void {
	if (isOnSameDisk)
		console.error(
			`${out} is on the same disk as DATA_DIR; back up to another disk, or losing this one loses both`,
		);
	if (damage === null) return;
	console.error(
		`The backup is intact, but the shop's database is damaged: ${damage}. Stop the server and restore this backup; the tills resend what it lacks`,
	);
	process.exitCode = 1;
}

/** @returns the names of the deleted backups */
function removeOldest(dir: string, keep: number, now: number): string[] {
	const files = oldestFirst(listBackups(dir), now);
	const old = files.slice(0, Math.max(0, files.length - keep));
	for (const { name } of old) rmSync(join(dir, name));
	return old.map(({ name }) => name);
}

function isDirectory(path: string): boolean {
	const there = statSync(path, { throwIfNoEntry: false });
	return there ? there.isDirectory() : !path.endsWith(".db");
}

const unitsMs: Record<string, number> = {
	s: 1_000,
	m: 60_000,
	h: 3_600_000,
	d: 86_400_000,
};

function toMs(text: string): number {
	const [, count, unit = ""] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
	const ms = Number(count) * (unitsMs[unit] ?? 0);
	// setTimeout takes at most 2^31 - 1 ms.
	if (!(ms > 0 && ms < 2 ** 31))
		throw new InvalidArgumentError("Must be a time like 30m, 1h or 1d.");
	return ms;
}
