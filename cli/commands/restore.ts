import { restoreBackup } from "../../server/operations/backup/restore.ts";
import { beginNewHistory } from "../../sync/log/history.ts";
import { systemEnv } from "../../sync/protocol/ids.ts";
import { Command } from "./command.ts";
import { UsageError } from "./command-error.ts";
import {
	assertFile,
	databasePlace,
	dataDirectory,
	withShop,
} from "./open-shop.ts";
import { showProgress } from "./print.ts";
import { withAdvice } from "./storage-advice.ts";

interface Options {
	force?: boolean;
	json?: boolean;
}

export function restoreCommand(): Command {
	return new Command("restore")
		.description(
			"Restore a backup into DATA_DIR, with the pictures from the folder pictures beside it. Stop the server before. " +
				"When it runs again, each till resends what the backup lacks",
		)
		.argument(
			"[file]",
			"the backup; omit it on PostgreSQL, after pg_restore has restored the database",
		)
		.option(
			"--force",
			"replace an existing shop; its database is kept under another name",
		)
		.printsJson()
		.examples(
			"counterfoil restore /mnt/usb/shop/counterfoil-20261120T090000000Z.db --force",
		)
		.action(restore);
}

async function restore(
	file: string | undefined,
	{ force = false, json }: Options,
): Promise<void> {
	if (file === undefined) return noteRestored();
	assertFile(
		'restore it with pg_restore, then run "counterfoil restore" without a file, so that tills resend what it lacks',
	);
	const dataDir = dataDirectory();
	const restored = await restoreBackup({
		file,
		dataDir,
		env: systemEnv,
		force,
		onStep: (step) => showProgress(`${step} …`),
		onOlderSchema: (from, to) =>
			console.error(
				`${file} has schema ${from}; the restored shop will have schema ${to}, which an older Counterfoil can't open`,
			),
	})
		.catch((error) => {
			throw withAdvice(error, file);
		})
		.finally(() => showProgress(""));
	if (json) {
		console.log(JSON.stringify(restored));
		return;
	}
	const { at, businesses, pictures, replaced } = restored;
	console.log(
		`Restored ${businesses.length} ${businesses.length === 1 ? "business" : "businesses"} as of ${at} to ${dataDir}, with ${pictures} pictures`,
	);
	if (replaced !== null)
		console.log(`Kept the replaced database as ${replaced}`);
}

/** Starts a new epoch after pg_restore: the tills have seen mutations that the database no longer has. */
async function noteRestored(): Promise<void> {
	if (databasePlace().databaseUrl === undefined)
		throw new UsageError('Name the backup: "counterfoil restore FILE"');
	await withShop({ create: false }, ({ store, env }) =>
		store.write((tx) => beginNewHistory(tx, env)),
	);
	console.log(
		"Started a new history: each till resends what the database lacks when it next syncs",
	);
}
