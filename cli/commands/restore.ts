import * as z from "zod";
import { accountFields } from "../../server/accounts/auth-routes.ts";
import { parseInput } from "../../server/http/input.ts";
import {
	type RestoreOptions,
	restoreBackup,
} from "../../server/operations/backup/restore.ts";
import { restoreFromTill } from "../../server/operations/backup/restore-from-till.ts";
import { readAdminEmails } from "../../server/settings.ts";
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
import { hashPassword, readNewPassword } from "./password.ts";
import { showProgress } from "./print.ts";
import { withAdvice } from "./storage-advice.ts";
import { assertNoAdmin } from "./user.ts";

interface Options {
	force?: boolean;
	fromTill?: string;
	email?: string;
	name?: string;
	passwordStdin?: true;
	json?: boolean;
}

export function restoreCommand(): Command {
	return new Command("restore")
		.description(
			"Restore a backup into DATA_DIR, with the pictures from the folder pictures beside it. Stop the server before. " +
				"When it runs again, each till resends what the backup lacks. Without any backup, --from-till builds a server from a till's database",
		)
		.argument(
			"[file]",
			"the backup; omit it on PostgreSQL, after pg_restore has restored the database",
		)
		.option(
			"--force",
			"replace an existing shop; its database is kept under another name",
		)
		.option(
			"--from-till <file>",
			"build the server from this till's database; choose the till that synced last",
		)
		.option("--email <email>", "with --from-till: the owner's email")
		.option(
			"--name <name>",
			"with --from-till: the owner's name, as the till knows it",
		)
		.option(
			"--password-stdin",
			"with --from-till: read the owner's new password from standard input",
		)
		.printsJson()
		.examples(
			"counterfoil restore /mnt/usb/shop/counterfoil-20261120T090000000Z.db --force",
			"counterfoil restore --from-till till.db --email asha@example.com --name Asha",
		)
		.action(restore);
}

async function restore(
	file: string | undefined,
	options: Options,
): Promise<void> {
	if (options.fromTill !== undefined)
		return fromTill(file, options.fromTill, options);
	if (options.email !== undefined || options.name !== undefined)
		throw new UsageError(
			"--email and --name belong to --from-till: a backup has its accounts",
		);
	if (file === undefined) return noteRestored();
	assertFile(
		'restore it with pg_restore, then run "counterfoil restore" without a file, so that tills resend what it lacks',
	);
	const dataDir = dataDirectory();
	const restored = await withProgress(
		file,
		restoreBackup(optionsFor(file, options)),
	);
	if (options.json) {
		console.log(JSON.stringify(restored));
		return;
	}
	const { at, businesses, pictures, replaced, withoutPassword } = restored;
	console.log(
		`Restored ${businesses.length} ${businesses.length === 1 ? "business" : "businesses"} as of ${at} to ${dataDir}, with ${pictures} pictures`,
	);
	if (replaced !== null)
		console.log(`Kept the replaced database as ${replaced}`);
	if (withoutPassword.length > 0)
		console.error(
			`A backup holds no passwords. Set one for each of these people with "counterfoil user password EMAIL": ${withoutPassword.join(", ")}`,
		);
}

function optionsFor(file: string, { force = false }: Options): RestoreOptions {
	return {
		file,
		dataDir: dataDirectory(),
		env: systemEnv,
		force,
		onStep: (step) => showProgress(`${step} …`),
		onOlderSchema: (from, to) =>
			console.error(
				`${file} has schema ${from}; the restored shop will have schema ${to}, which an older Counterfoil can't open`,
			),
	};
}

function withProgress<T>(file: string, work: Promise<T>): Promise<T> {
	return work
		.catch((error) => {
			throw withAdvice(error, file);
		})
		.finally(() => showProgress(""));
}

async function fromTill(
	backup: string | undefined,
	file: string,
	options: Options,
): Promise<void> {
	if (backup !== undefined)
		throw new UsageError("Name either a backup or a till's database");
	const { email: givenEmail, name: givenName } = options;
	if (givenEmail === undefined || givenName === undefined)
		throw new UsageError(
			"--from-till needs --email and --name: a till has no accounts, so the owner gets a new one",
		);
	assertFile(
		'unset it, restore into an empty DATA_DIR, then copy that database with "counterfoil migrate-store"',
	);
	const password = await readNewPassword(options);
	const { email, name } = parseInput(z.object(accountFields), {
		email: givenEmail,
		name: givenName,
		password,
	});
	// The other settings need a database, or make a secret for it.
	assertNoAdmin(email, readAdminEmails(process.env.ADMIN_EMAILS));
	const owner = { email, name, passwordHash: await hashPassword(password) };
	const restored = await withProgress(
		file,
		restoreFromTill({ ...optionsFor(file, options), owner }),
	);
	if (options.json) console.log(JSON.stringify(restored));
	else printFromTill(restored, email, file);
}

function printFromTill(
	{
		businessName,
		sales,
		lastSyncAt,
		windowDay,
		own,
		unmade,
		withoutEmail,
		replaced,
	}: Awaited<ReturnType<typeof restoreFromTill>>,
	email: string,
	file: string,
): void {
	const since =
		lastSyncAt === null
			? "which had never fetched the whole shop"
			: `which last synced at ${lastSyncAt}`;
	console.log(
		`Built a server in ${dataDirectory()} for ${businessName} from ${file}, ${since}: ${sales} sales`,
	);
	if (replaced !== null)
		console.log(`Kept the replaced database as ${replaced}`);
	if (own.rejected > 0)
		console.error(
			`${own.rejected} changes of this till were rejected; "counterfoil log show" has the reasons`,
		);
	if (own.waiting > 0)
		console.error(
			`${own.waiting} changes of this till need records of other tills; it sends them again when it syncs`,
		);
	if (windowDay !== null)
		console.error(
			`${file} lacks sales from before ${windowDay}. Stock and debts count them; the sales themselves come back from tills that keep all sales`,
		);
	if (unmade > 0)
		console.error(
			`${unmade} sales or refunds in ${file} could not be read; keep the file`,
		);
	console.error(
		`Start the server and sign in as ${email} on every till: each sends what is missing here`,
	);
	for (const { id, name, role } of withoutEmail)
		console.error(
			`${name} (${role}) needs an email and a password: "counterfoil user email ${id} EMAIL", "counterfoil user password EMAIL"`,
		);
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
