import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
	type DatabasePlace,
	databaseFile,
} from "../../../server/operations/database.ts";
import { isInUse } from "../../../sync/store/copy.ts";
import { lookInto } from "../../../sync/store/sqlite.ts";

/**
 * Runs `work`, which may create an installation in `place`, and if it fails removes the files that it created: a restore
 * would take them for a shop. Files of a database that has come into use meanwhile stay.
 */
export async function inNewInstallation<T>(
	place: DatabasePlace,
	work: () => Promise<T>,
): Promise<T> {
	const file = databaseFile(place);
	if (place.databaseUrl !== undefined || existsSync(file)) return work();
	const names = ["auth-secret", "counterfoil.db-wal", "counterfoil.db-shm"];
	const files = [...names.map((name) => join(place.dataDir, name)), file];
	const missing = files.filter((path) => !existsSync(path));
	const missingDirs = missingAbove(file);
	try {
		return await work();
	} catch (error) {
		if (await isUnused(file)) {
			for (const path of missing) rmSync(path, { force: true });
			for (const dir of missingDirs)
				if (existsSync(dir) && readdirSync(dir).length === 0) rmdirSync(dir);
		}
		throw error;
	}
}

/** @returns the missing parent directories of `path`, innermost first */
function missingAbove(path: string): string[] {
	const dir = dirname(path);
	return existsSync(dir) ? [] : [dir, ...missingAbove(dir)];
}

async function isUnused(file: string): Promise<boolean> {
	if (!existsSync(file)) return true;
	if (isInUse(file)) return false;
	return lookInto(file, async (tx, schemaVersion) => {
		if (schemaVersion === undefined) return true;
		return (await tx.get("SELECT 1 FROM users LIMIT 1")) === undefined;
	});
}
