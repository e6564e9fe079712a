import {
	closeSync,
	existsSync,
	mkdirSync,
	openSync,
	renameSync,
	rmSync,
} from "node:fs";
import { join } from "node:path";
import { toIso } from "../../sync/protocol/clock.ts";
import {
	checkDatabase,
	copyDatabase,
	settleFile,
	syncNames,
} from "../../sync/store/copy.ts";

/**
 * Copies a database that may be in use into a folder: complete, verified and flushed to disk before it gets its name.
 *
 * @returns the backup's file
 * @throws Error if the folder can't be written, or the copy fails its check
 */
export async function backUp(
	databaseFile: string,
	folder: string,
	now: number,
): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const moment = toIso(now).replace(/[:.]/g, "-");
	const file = join(folder, `counterfoil-${moment}.db`);
	// A name once given stays that backup's; one that is killed leaves none.
	if (existsSync(file)) throw new Error(`${file} exists already`);
	const part = `${file}.part`;
	// Nobody else may read it, even while it is being written: it contains all password hashes.
	closeSync(openSync(part, "wx", 0o600));
	try {
		await copyDatabase(databaseFile, part);
		await checkDatabase(part);
		settleFile(part);
		renameSync(part, file);
	} finally {
		rmSync(part, { force: true });
	}
	syncNames(folder);
	return file;
}
