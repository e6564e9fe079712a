import { Command } from "commander";
import { ArchiveError } from "../../../server/archive/manifest.ts";
import { readArchive } from "../../../server/archive/read.ts";
import { readSettings } from "../../../server/settings.ts";
import { CommandError } from "../error.ts";
import { printManifest } from "../export/manifest.ts";
import { keepHeapSmall } from "../export/memory.ts";
import { openProgress } from "../export/output.ts";
import { withShop } from "../shop.ts";

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
	// It makes the folder of a new installation.
	readSettings(process.env);
	keepHeapSmall();
	const progress = openProgress(true);
	await withShop({ create: true }, async (shop) => {
		try {
			const manifest = await readArchive(shop, file, progress.tell);
			progress.end(
				"The shop is here. Its tills must be told this server's address, and fetch it again",
			);
			printManifest(manifest, json);
		} catch (error) {
			if (!(error instanceof ArchiveError)) throw error;
			throw new CommandError(`${file} can't be read. ${error.message}`);
		}
	});
}
