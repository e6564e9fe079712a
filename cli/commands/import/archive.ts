import { ArchiveError } from "../../../server/operations/archive/manifest.ts";
import {
	inspectArchive,
	readArchive,
} from "../../../server/operations/archive/read.ts";
import { readSettings } from "../../../server/settings.ts";
import { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { printManifest } from "../export/manifest.ts";
import { limitHeapGrowth } from "../export/memory.ts";
import { openProgress } from "../export/output.ts";
import { databasePlace, withShop } from "../open-shop.ts";
import { inNewInstallation } from "./new-installation.ts";

export function archiveCommand(): Command {
	return new Command("archive")
		.description(
			"Import an archive made by export all into a database that does not have its shop yet, and check that they match; a failed import changes nothing. Stop the server before",
		)
		.argument("<file>", "the archive to import")
		.option("--json", "print the archive's contents as JSON")
		.examples("DATA_DIR=/srv/shop counterfoil import archive shop.zip")
		.action(importArchive);
}

async function importArchive(
	file: string,
	{ json }: { json?: true },
): Promise<void> {
	await toCommandErrors(file, () => inspectArchive(file));
	limitHeapGrowth();
	const progress = openProgress(true);
	const stop = new AbortController();
	const onSignal = () =>
		stop.abort(new CommandError(`Stopped; ${file} was not imported`));
	process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
	await inNewInstallation(databasePlace(), async () => {
		// Creates DATA_DIR for a new installation.
		readSettings(process.env);
		await withShop({ create: true }, async (shop) => {
			const manifest = await toCommandErrors(file, () =>
				readArchive(shop, file, progress.update, stop.signal),
			);
			progress.end(
				"Imported the shop. Set this server's address on its tills; they will fetch the shop again",
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
			throw new CommandError(`Can't import ${file}: ${error.message}`);
		throw error;
	}
}
