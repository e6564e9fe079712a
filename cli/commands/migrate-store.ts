import { resolve } from "node:path";
import {
	databaseName,
	isDatabaseUrl,
} from "../../server/operations/database.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import type { Moved } from "../../sync/store/move.ts";
import type { Place } from "../../sync/store/move-end.ts";
import { MoveError } from "../../sync/store/move-error.ts";
import { Command } from "./command.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { limitHeapGrowth } from "./export/memory.ts";
import { openProgress } from "./export/output.ts";
import { printRows } from "./print.ts";

interface Options {
	from: string;
	to: string;
	json?: boolean;
}

export function migrateStoreCommand(): Command {
	return new Command("migrate-store")
		.description(
			"Move the whole database to an empty one of the other kind, SQLite or PostgreSQL, and check that both match; a failed move changes nothing. " +
				"Stop the server before. Tills continue where they were; pictures and the secret stay in DATA_DIR. " +
				"The old database stays as a copy; don't start a server on it again",
		)
		.requiredOption(
			"--from <database>",
			"the current database, as sqlite:FILE or postgres://USER@HOST/DATABASE; pass the password in PGPASSWORD",
		)
		.requiredOption("--to <database>", "the empty database, in the same form")
		.printsJson()
		.examples(
			"counterfoil migrate-store --from sqlite:data/counterfoil.db --to postgres://shop@db.example/shop",
			"counterfoil migrate-store --from postgres://shop@db.example/shop --to sqlite:data/counterfoil.db",
		)
		.action(migrateStore);
}

async function migrateStore(options: Options): Promise<void> {
	const from = toPlace("--from", options.from);
	const to = toPlace("--to", options.to);
	limitHeapGrowth();
	const progress = openProgress(true);
	// Other commands never need a database server's driver.
	const { moveDatabase } = await import("../../sync/store/move.ts");
	const moved = await moveDatabase(from, to, { onRows: progress.update }).catch(
		(error) => {
			throw toCommandError(error, from, to);
		},
	);
	progress.end("Both databases match");
	printMoved(moved, from, to, options.json);
}

/** Error messages must not repeat the address, which may contain a password. */
function toPlace(option: string, text: string): Place {
	if (isDatabaseUrl(text))
		return {
			url: text,
			name: databaseName({ dataDir: "", databaseUrl: text }),
		};
	const file = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
	if (file === undefined)
		throw new UsageError(
			`${option} must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE`,
		);
	return { file: resolve(file), name: resolve(file) };
}

function toCommandError(error: unknown, from: Place, to: Place): unknown {
	if (error instanceof MoveError) return new CommandError(error.message);
	if (!(error instanceof ShopError)) return error;
	return new CommandError(
		`Can't move ${from.name} to ${to.name}: ${error.message.replace(/\.$/, "")}; nothing was changed, try again`,
		{ cause: error },
	);
}

function printMoved(moved: Moved, from: Place, to: Place, json = false): void {
	if (json) {
		console.log(
			JSON.stringify({ from: from.name, to: to.name, ...moved }, null, 2),
		);
		return;
	}
	printRows(
		moved.businesses.map((business) => ({ ...business })),
		{ empty: "The database has no businesses" },
	);
	const rows = moved.tables.reduce((sum, table) => sum + table.rows, 0);
	console.log(
		`Moved ${rows} rows to ${to.name}; the digests of both databases match. ${from.name} is now only a copy: don't start a server on it`,
	);
	console.error(
		"url" in to
			? "Start the server with DATABASE_URL, and the same DATA_DIR and AUTH_SECRET as before"
			: "Start the server without DATABASE_URL, in the same DATA_DIR as before, with this file as its counterfoil.db",
	);
}
