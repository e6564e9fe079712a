import {
	databaseName,
	isDatabaseUrl,
} from "../../server/operations/database.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { databasePlace, withShop } from "./open-shop.ts";
import { withAdvice } from "./storage-advice.ts";

export function checkBackupCommand(): Command {
	return new Command("check-backup")
		.description(
			"For a shop on PostgreSQL: check that a backup, restored with pg_restore into a separate database, matches the shop. " +
				"Tills may then delete the mutations that it covers. Keep the backup; the separate database can be dropped afterwards",
		)
		.argument(
			"<database>",
			"the restored database, as postgres://USER@HOST/DATABASE; pass the password in PGPASSWORD",
		)
		.printsJson()
		.addHelpText(
			"after",
			`
First restore the backup:
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
			'The database is a file; "counterfoil backup" makes and checks its backups',
		);
	// The message must not repeat the address, which may contain a password.
	if (!isDatabaseUrl(database))
		throw new CommandError(
			"The backup must be a postgres://HOST/DATABASE address",
		);
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
			`The backup in ${name} is complete: ${length} ${length === 1 ? "business" : "businesses"} as of ${held.at}`,
		);
	});
}
