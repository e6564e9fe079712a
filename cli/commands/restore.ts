import { Command } from "commander";
import { restoreBackup } from "../../server/operations/backup/restore.ts";
import { beginNewHistory } from "../../sync/log/history.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { UsageError } from "./error.ts";
import { tellProgress } from "./print.ts";
import { assertFile, databasePlace, dataDirectory, withShop } from "./shop.ts";
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
		.argument(
			"[file]",
			"a backup; none for a database on a PostgreSQL server, after pg_restore has brought it back",
		)
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
	file: string | undefined,
	{ force = false, json }: Options,
): Promise<void> {
	if (file === undefined) return noteRestored();
	assertFile(
		"pg_restore brings back what pg_dump wrote; then counterfoil restore, without a file, tells the tills",
	);
	const dataDir = dataDirectory();
	const restored = await restoreBackup({
		file,
		dataDir,
		env: systemEnv,
		force,
		onStep: (step) => tellProgress(`${step} …`),
		onOlderSchema: (from, to) =>
			console.error(
				`${file} has schema ${from}; the restored shop will have ${to}, which an older Counterfoil can't open`,
			),
	})
		.catch((error) => {
			throw withAdvice(error, file);
		})
		.finally(() => tellProgress(""));
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

/** What PostgreSQL's own programs brought back has another future than its tills have seen. */
async function noteRestored(): Promise<void> {
	if (databasePlace().databaseUrl === undefined)
		throw new UsageError("Name the backup: counterfoil restore FILE");
	await withShop({ create: false }, ({ store, env }) =>
		store.write((tx) => beginNewHistory(tx, env)),
	);
	console.log(
		"Noted: each till brings back what the database lacks when it next syncs",
	);
}
