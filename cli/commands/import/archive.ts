import { Command } from "commander";
import { ArchiveError } from "../../../server/operations/archive/manifest.ts";
import {
	lookIntoArchive,
	readArchive,
} from "../../../server/operations/archive/read.ts";
import { readSettings } from "../../../server/settings.ts";
import { CommandError } from "../error.ts";
import { printManifest } from "../export/manifest.ts";
import { keepHeapSmall } from "../export/memory.ts";
import { openProgress } from "../export/output.ts";
import { databasePlace, withShop } from "../shop.ts";
import { inNewInstallation } from "./new-installation.ts";

export function archiveCommand(): Command {
	return new Command("archive")
		.description(
			"Reads what export all wrote into a database that does not hold its shop, and checks that it is the same: all of it, or nothing. No server should be busy on the database meanwhile",
		)
		.argument("<file>", "the archive")
		.option("--json", "print what it held as JSON")
		.addHelpText(
			"after",
			"\nExample:\n  DATA_DIR=/srv/shop counterfoil import archive shop.zip",
		)
		.action(importArchive);
}

async function importArchive(
	file: string,
	{ json }: { json?: true },
): Promise<void> {
	await toCommandErrors(file, () => lookIntoArchive(file));
	keepHeapSmall();
	const progress = openProgress(true);
	const stop = new AbortController();
	const onSignal = () =>
		stop.abort(new CommandError(`Stopped: ${file} was not read in`));
	process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
	await inNewInstallation(databasePlace(), async () => {
		// It makes the folder of a new installation.
		readSettings(process.env);
		await withShop({ create: true }, async (shop) => {
			const manifest = await toCommandErrors(file, () =>
				readArchive(shop, file, progress.tell, stop.signal),
			);
			progress.end(
				"The shop is here. Its tills must be told this server's address, and fetch it again",
			);
			printManifest(manifest, json);
		});
	});
}

async function toCommandErrors<T>(
	file: string,
	read: () => Promise<T>,
): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof ArchiveError)
			throw new CommandError(`${file} can't be read. ${error.message}`);
		throw error;
	}
}
