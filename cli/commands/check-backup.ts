import { Command } from "commander";
import {
	databaseName,
	isDatabaseUrl,
} from "../../server/operations/database.ts";
import { CommandError } from "./error.ts";
import { databasePlace, withShop } from "./shop.ts";
import { withAdvice } from "./storage-advice.ts";

export function checkBackupCommand(): Command {
	return new Command("check-backup")
		.description(
			"For a shop on a PostgreSQL server: check that a backup, which pg_restore brought back into a database of its own, is the shop as it was. " +
				"Tills then need not keep what it holds. Keep the backup; that database may go afterwards",
		)
		.argument(
			"<database>",
			"postgres://USER@HOST/DATABASE where the backup is, the password best in PGPASSWORD",
		)
		.option("--json", "print JSON")
		.addHelpText(
			"after",
			`
Before it:
  pg_dump -Fc --file shop.dump "$DATABASE_URL"
  createdb shop_check && pg_restore --dbname shop_check shop.dump

Example:
  counterfoil check-backup postgres://localhost/shop_check`,
		)
		.action(checkBackup);
}

async function checkBackup(
	database: string,
	{ json = false }: { json?: boolean },
): Promise<void> {
	if (databasePlace().databaseUrl === undefined)
		throw new CommandError(
			'The database is a file, whose backups "counterfoil backup" makes and checks',
		);
	// What is wrong with it is said without repeating it: it may hold a password.
	if (!isDatabaseUrl(database))
		throw new CommandError("The backup must be in a postgres://HOST/DATABASE");
	const name = databaseName({ dataDir: "", databaseUrl: database });
	await withShop({ create: false }, async (shop) => {
		const { checkRestored } = await import(
			"../../server/operations/backup/check-restored.ts"
		);
		const held = await checkRestored(shop, database).catch((error) => {
			throw withAdvice(error, name);
		});
		if (json) {
			console.log(JSON.stringify(held));
			return;
		}
		const { length } = held.businesses;
		console.log(
			`The backup in ${name} holds ${length} ${length === 1 ? "business" : "businesses"} as of ${held.at}, whole`,
		);
	});
}
