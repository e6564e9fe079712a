import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { toIso } from "../../sync/protocol/clock.ts";
import {
	checkDatabase,
	copyDatabase,
	settleFile,
	syncNames,
} from "../../sync/store/copy.ts";

/**
 * Copies a database that may be in use into a folder: whole, checked, on the disk, and only then under its name.
 *
 * @returns the copy's file
 * @throws where the folder can't be written, or the copy is not sound
 */
export async function backUp(
	databaseFile: string,
	folder: string,
	now: number,
): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const moment = toIso(now).replace(/[:.]/g, "-");
	const file = join(folder, `counterfoil-${moment}.db`);
	// No backup is written over, and nobody else may read it, also while it is made: everybody's password hashes are in it.
	closeSync(openSync(file, "wx", 0o600));
	const part = `${file}.part`;
	try {
		closeSync(openSync(part, "wx", 0o600));
		await copyDatabase(databaseFile, part);
		await checkDatabase(part);
		settleFile(part);
		renameSync(part, file);
	} catch (error) {
		rmSync(file, { force: true });
		throw error;
	} finally {
		rmSync(part, { force: true });
	}
	syncNames(folder);
	return file;
}
