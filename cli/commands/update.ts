import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
	databaseFile,
	isDatabaseMissing,
} from "../../server/operations/database.ts";
import type { Release } from "../update/release.ts";
import { currentRelease, unpack, verifyFile } from "../update/release-file.ts";
import { findServer, type Swap, swap, tidy } from "../update/swap.ts";
import { tryRelease } from "../update/trial.ts";
import { Command, toCount } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { assertFile, dataDirectory } from "./open-shop.ts";
import { showProgress } from "./print.ts";
import { withAdvice } from "./storage-advice.ts";

interface Options {
	from: string;
	sha256?: string;
	wait: number;
}

export function updateCommand(): Command {
	return new Command("update")
		.description(
			"Update a server that was installed from a tarball: check the new release, try it on a copy of the database, " +
				"switch to it and restart the server. If it doesn't come up, the old one serves the shop again. Tills sell meanwhile",
		)
		.requiredOption("--from <file>", "the tarball of the new release")
		.option(
			"--sha256 <sum>",
			"its checksum; by default the one in SHA256SUMS beside it",
		)
		.option(
			"--wait <seconds>",
			"how long the new release may take to come up, beyond what it took on the copy",
			toCount,
			60,
		)
		.examples(
			"counterfoil update --from /tmp/counterfoil-0.3.0-linux-x64.tar.gz",
		)
		.action(update);
}

async function update({ from, sha256, wait }: Options): Promise<void> {
	const home = process.env.COUNTERFOIL_HOME;
	if (!home)
		throw new CommandError(
			"Only an installation from a tarball updates itself; update a clone with git pull and npm ci, and a package with npm install",
		);
	assertFile(
		"stop all servers, make a pg_dump, unpack the release over the old one, and start them again",
	);
	const dataDir = dataDirectory();
	try {
		await assertServer(home, dataDir);
		await verifyFile(from, sha256);
		showProgress("unpacking …");
		const release = await unpack(from, home);
		const current = await currentRelease(home);
		await replace({ home, dataDir, current, release, wait });
	} catch (error) {
		throw withAdvice(error, databaseFile({ dataDir }));
	} finally {
		showProgress("");
	}
}

/** @throws CommandError unless there is a shop, whose server this user may restart and this folder's launcher runs */
async function assertServer(home: string, dataDir: string): Promise<void> {
	if (isDatabaseMissing({ dataDir, databaseUrl: undefined }))
		throw new CommandError(
			`There is no shop in ${dataDir}; set DATA_DIR to the shop's directory`,
		);
	const owner = statSync(databaseFile({ dataDir })).uid;
	if (owner !== process.getuid?.())
		throw new CommandError(
			`${dataDir} belongs to another user; run the update as the user that runs the server`,
		);
	const running = await findServer(dataDir);
	if (running && running.home !== home)
		throw new CommandError(
			`The server of ${dataDir} runs from ${running.home}; run ${join(running.home, "counterfoil")} update`,
		);
}

async function replace({
	wait,
	...places
}: Omit<Swap, "withinMs"> & { wait: number }): Promise<void> {
	const { release, current, dataDir } = places;
	let wasRunning: boolean;
	try {
		showProgress(`trying ${release.version} on a copy of the database …`);
		const tookMs = await tryRelease(release, current, dataDir);
		showProgress(`switching to ${release.version} …`);
		const withinMs = wait * 1000 + 3 * tookMs;
		const made: Swap = { ...places, withinMs };
		wasRunning = await swap(made);
		await tidy(made);
	} catch (error) {
		const { version } = await currentRelease(places.home);
		if (version !== release.version)
			await rm(release.dir, { recursive: true, force: true });
		throw error;
	}
	printUpdated(current, release, wasRunning);
}

function printUpdated(
	current: Release,
	release: Release,
	wasRunning: boolean,
): void {
	console.log(`Updated ${current.version} to ${release.version}`);
	if (!wasRunning) console.error("No server was running; start it");
}
