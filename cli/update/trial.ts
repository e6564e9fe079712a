import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
	assertDiskSpace,
	databaseSize,
} from "../../server/operations/backup/disk-space.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { copyDatabase } from "../../sync/store/copy.ts";
import { CommandError } from "../commands/command-error.ts";
import { differencesOf, readFacts } from "./facts.ts";
import { isReady, type Release, whileServing } from "./release.ts";

/** A large database takes minutes to migrate. */
const upWithinMs = 1_800_000;
const differencesShown = 5;

/**
 * Starts a release on a copy of the database, and compares what it says of the shop with what the current release says.
 *
 * @returns how long it took to come up, in milliseconds
 * @throws CommandError if it fails or says something else; BackupError if there is no room for a copy
 */
export async function tryRelease(
	release: Release,
	current: Release,
	dataDir: string,
): Promise<number> {
	const file = databaseFile({ dataDir });
	// Its start keeps another copy, and a migration writes the database once more.
	const room = 3 * databaseSize(file);
	await assertDiskSpace(dataDir, room, "a copy to try the update on");
	const trialDir = join(dataDir, ".update-trial");
	await rm(trialDir, { recursive: true, force: true });
	await mkdir(trialDir, { mode: 0o700 });
	try {
		await copyDatabase(file, databaseFile({ dataDir: trialDir }));
		const before = await readFacts(current, trialDir);
		const startedAt = performance.now();
		const options = { dataDir: trialDir, withinMs: upWithinMs };
		return await whileServing(release, options, async (url) => {
			const tookMs = performance.now() - startedAt;
			if (!(await isReady(url, release.version)))
				throw new Error("it doesn't become ready");
			const page = await fetch(url, { headers: { accept: "text/html" } });
			if (!page.ok) throw new Error("it has no web app");
			const differences = differencesOf(
				before,
				await readFacts(release, trialDir),
			);
			if (differences.length === 0) return tookMs;
			const shown = differences.slice(0, differencesShown).join("; ");
			throw new Error(`it reads the shop differently: ${shown}`);
		});
	} catch (error) {
		throw new CommandError(
			`${release.version} failed on a copy of the database, so nothing was changed: ${(error as Error).message}`,
		);
	} finally {
		await rm(trialDir, { recursive: true, force: true });
	}
}
