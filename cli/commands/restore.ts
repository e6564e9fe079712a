import { Command } from "commander";
import { restoreBackup } from "../../server/backup/restore.ts";
import { systemEnv } from "../../sync/ids.ts";
import { dataDirectory } from "./shop.ts";
import { withAdvice } from "./storage-advice.ts";

interface Options {
	force?: boolean;
	json?: boolean;
}

export function restoreCommand(): Command {
	return new Command("restore")
		.description(
			"Make a backup the database of DATA_DIR, with the pictures from the folder pictures beside it. The server must be stopped. " +
				"When it runs again, each till brings back what the backup lacks",
		)
		.argument("<file>", "a backup")
		.option(
			"--force",
			"also where there is a shop already: its database is kept under another name",
		)
		.option("--json", "print JSON")
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil restore /mnt/usb/shop/counterfoil-20261120T090000000Z.db --force",
		)
		.action(restore);
}

async function restore(
	file: string,
	{ force = false, json }: Options,
): Promise<void> {
	const dataDir = dataDirectory();
	const restored = await restoreBackup({
		file,
		dataDir,
		env: systemEnv,
		force,
	}).catch((error) => {
		throw withAdvice(error, file);
	});
	if (json) {
		console.log(JSON.stringify(restored));
		return;
	}
	const { at, businesses, pictures, replaced } = restored;
	console.log(
		`Restored ${businesses.length} ${businesses.length === 1 ? "business" : "businesses"} as of ${at} to ${dataDir}, with ${pictures} pictures`,
	);
	if (replaced !== null) console.log(`What was there is now ${replaced}`);
}
