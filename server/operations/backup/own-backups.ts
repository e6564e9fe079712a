import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { toIso } from "../../../sync/protocol/clock.ts";
import { ShopError } from "../../../sync/protocol/errors.ts";
import { checkDatabase } from "../../../sync/store/copy.ts";
import { newestVersion } from "../../../sync/store/migrate.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";
import { unfinishedName } from "./backup.ts";
import { notedContents, readContents } from "./contents.ts";
import { isAbandoned } from "./working-file.ts";

/** The names that Counterfoil gives its backups in a directory; it never deletes any other file. */
const ownName =
	/^counterfoil-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.db$/;

/** A backup in a directory. */
export interface BackupFile {
	name: string;
	at: string;
	bytes: number;
}

export function backupName(now: number): string {
	return `counterfoil-${toIso(now).replaceAll(/[-:.]/g, "")}.db`;
}

/** Lists the backups of a directory, the newest first; none if there is no such directory. */
export function listBackups(dir: string): BackupFile[] {
	const files: BackupFile[] = [];
	for (const name of namesIn(dir)) {
		if (!ownName.test(name)) continue;
		const at = name.replace(ownName, "$1-$2-$3T$4:$5:$6.$7Z");
		const found = statSync(join(dir, name), { throwIfNoEntry: false });
		if (found && !Number.isNaN(Date.parse(at)))
			files.push({ name, at, bytes: found.size });
	}
	return files.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/**
 * Orders backups from the oldest to the newest. One named later than now was made while the clock was ahead (or the clock is
 * behind now), so it counts as the oldest; otherwise it would crowd out every backup from now on.
 */
export function oldestFirst(
	files: readonly BackupFile[],
	now: number,
): BackupFile[] {
	const isAhead = ({ at }: BackupFile) => Date.parse(at) > now;
	const ordered = files.toSorted((a, b) => (a.at < b.at ? -1 : 1));
	return [
		...ordered.filter(isAhead),
		...ordered.filter((file) => !isAhead(file)),
	];
}

/** True if the file says what it holds: it was read whole and compared with the shop before it got its name. */
export async function isProven(file: string): Promise<boolean> {
	try {
		return (await lookInto(file, notedContents)) !== undefined;
	} catch {
		return false;
	}
}

/** Reads a backup whole, and compares it with what it held when it was made. @returns what is wrong */
export async function proveBackup(file: string): Promise<string | undefined> {
	try {
		await checkDatabase(file);
		return await lookInto(file, async (tx, schemaVersion) => {
			const noted = await notedContents(tx);
			if (!noted) return "It doesn't say what it held when it was made";
			// Rows of an older schema can't be read before a restore has migrated them.
			if (schemaVersion !== newestVersion()) return undefined;
			const held = await readContents(tx, noted.at);
			const same =
				JSON.stringify(noted.businesses) === JSON.stringify(held.businesses);
			return same ? undefined : "It has changed since it was made";
		});
	} catch (error) {
		if (error instanceof ShopError) return error.message;
		throw error;
	}
}

/** Removes what killed backups left in a directory. */
export function removeUnfinished(dir: string, now: number): void {
	for (const name of namesIn(dir)) {
		const whole = name.replace(/^\.|\.partial(-wal|-shm|-journal)?$/g, "");
		const isUnfinished =
			ownName.test(whole) && name.startsWith(unfinishedName(whole));
		const file = join(dir, name);
		if (isUnfinished && isAbandoned(statSync(file).mtimeMs, now))
			rmSync(file, { force: true });
	}
}

function namesIn(dir: string): string[] {
	return statSync(dir, { throwIfNoEntry: false }) ? readdirSync(dir) : [];
}
