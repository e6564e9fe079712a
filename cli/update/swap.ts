import { existsSync } from "node:fs";
import { readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { restoreBackup } from "../../server/operations/backup/restore.ts";
import { databaseFile } from "../../server/operations/database.ts";
import { readRunning } from "../../server/operations/running.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { isInUse, syncNames } from "../../sync/store/copy.ts";
import { newestVersion } from "../../sync/store/migrate.ts";
import { lookInto } from "../../sync/store/sqlite.ts";
import { CommandError } from "../commands/command-error.ts";
import { isReady, type Release } from "./release.ts";

const checkMs = 250;
/** The launcher may have started a server just before it was asked to hold. */
const inFlightMs = 3_000;
const stoppedWithinMs = 30_000;
/** A server behind a proxy finishes its answers for up to 200 seconds. */
const drainedWithinMs = 210_000;

export interface Swap {
	home: string;
	dataDir: string;
	current: Release;
	release: Release;
	/** How long a version may take to come up. */
	withinMs: number;
}

/**
 * Finds the server that runs on `DATA_DIR`. A killed one leaves its note, whose process id another program may have since.
 *
 * @returns undefined if there is none
 * @throws CommandError if a program uses the database, and is no server of a release that can take sales
 */
export async function findServer(dataDir: string) {
	const note = readRunning(dataDir);
	if (note?.url !== undefined && (await isReady(note.url, note.version)))
		return note;
	const file = databaseFile({ dataDir });
	if (isInUse(file))
		throw new CommandError(
			`${file} is in use, but no server answers that this command can restart; wait until it is ready, or stop it`,
		);
	return undefined;
}

/**
 * Makes a release the current one, and restarts the server if one runs. If the new one doesn't come up, brings the old one
 * back with the database as it was.
 *
 * @returns whether a server was running
 * @throws CommandError if the new one didn't come up
 */
export async function swap(swap: Swap): Promise<boolean> {
	const { home, dataDir, current, release } = swap;
	const before = await findServer(dataDir);
	// The launcher starts a server that fails again while this process runs.
	const updating = join(home, "updating");
	await writeFile(updating, String(process.pid));
	try {
		await pointTo(home, release);
		if (before === undefined) return false;
		await stopOld(before.pid, dataDir);
		if (await isUp(release, swap)) return true;
		await rollBack(swap);
		throw new CommandError(
			(await isUp(current, swap))
				? `${release.version} did not come up; ${current.version} serves the shop again, and the log says why`
				: `${release.version} did not come up, and ${current.version} doesn't either; see the log`,
		);
	} finally {
		await rm(updating, { force: true });
	}
}

/** Replaces the link with one rename, so that there is never no current release. */
async function pointTo(home: string, { version }: Release): Promise<void> {
	const next = join(home, `.current-${process.pid}`);
	await rm(next, { force: true });
	await symlink(join("versions", version), next);
	await rename(next, join(home, "current"));
	syncNames(home);
}

/** Has the old server finish its answers and end, and kills it if it doesn't. */
async function stopOld(pid: number, dataDir: string): Promise<void> {
	signal(pid, "SIGUSR2");
	const giveUpAt = performance.now() + drainedWithinMs;
	while (readRunning(dataDir)?.pid === pid) {
		if (performance.now() > giveUpAt) signal(pid, "SIGKILL");
		await sleep(checkMs);
	}
}

async function isUp(
	{ version }: Release,
	{ dataDir, withinMs }: Swap,
): Promise<boolean> {
	const giveUpAt = performance.now() + withinMs;
	while (performance.now() < giveUpAt) {
		const note = readRunning(dataDir);
		const url = note?.version === version ? note.url : undefined;
		if (url !== undefined && (await isReady(url, version))) return true;
		await sleep(checkMs);
	}
	return false;
}

async function rollBack(swap: Swap): Promise<void> {
	const { home, dataDir, current } = swap;
	const holding = join(home, "holding");
	await writeFile(holding, String(process.pid));
	try {
		await pointTo(home, current);
		await stopServer(swap);
		await bringDatabaseBack(dataDir);
	} finally {
		await rm(holding, { force: true });
	}
}

/** Ends the new server, which may not listen to a signal. */
async function stopServer({ dataDir, release }: Swap): Promise<void> {
	const startedAt = performance.now();
	const file = databaseFile({ dataDir });
	for (;;) {
		const note = readRunning(dataDir);
		if (note?.version === release.version) signal(note.pid, "SIGKILL");
		const sinceMs = performance.now() - startedAt;
		if (sinceMs > inFlightMs && !note && !isInUse(file)) return;
		if (sinceMs > stoppedWithinMs)
			throw new CommandError(
				`${release.version} did not come up and can't be stopped; stop the service, and start it again`,
			);
		await sleep(checkMs);
	}
}

/** Sends a signal, unless the process has just ended. */
function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

/** Puts the copy back that the new server made before it migrated the database; tills send what the copy lacks. */
async function bringDatabaseBack(dataDir: string): Promise<void> {
	const schema = await lookInto(
		databaseFile({ dataDir }),
		async (_tx, version) => version,
	);
	if (schema === undefined || schema <= newestVersion()) return;
	const file = join(dataDir, `counterfoil-before-schema-${schema}.db`);
	await restoreBackup({ file, dataDir, env: systemEnv, force: true });
}

/** Installs the release's launcher, and keeps no releases but this one and the one before. */
export async function tidy({ home, current, release }: Swap): Promise<void> {
	const launcher = join(release.dir, "launcher");
	// The running launcher goes on reading its own file.
	if (existsSync(launcher)) await rename(launcher, join(home, "counterfoil"));
	const kept = [current.version, release.version];
	for (const name of await readdir(join(home, "versions")))
		if (!kept.includes(name))
			await rm(join(home, "versions", name), { recursive: true, force: true });
}
