import { Command } from "commander";
import * as z from "zod";
import { accounts } from "../../server/accounts/accounts.ts";
import { accountFields } from "../../server/accounts/auth-routes.ts";
import { createAdmin } from "../../server/accounts/users.ts";
import { parseInput } from "../../server/http/input.ts";
import { readSettings } from "../../server/settings.ts";
import { hashPassword, readNewPassword } from "./password.ts";
import { printRows } from "./print.ts";
import { withShop } from "./shop.ts";

interface CreateOptions {
	email: string;
	name: string;
	passwordStdin?: true;
	json?: boolean;
}

export function adminCommand(): Command {
	const create = new Command("create")
		.description(
			"Make an administrator's record; the email must be in ADMIN_EMAILS, too, to sign in",
		)
		.requiredOption("--email <email>", "to sign in with")
		.requiredOption("--name <name>", "as the page shows it")
		.option("--password-stdin", "read the password from standard input")
		.option("--json", "print JSON")
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil admin create --email root@example.com --name Root",
		)
		.action(createOne);
	const list = new Command("list")
		.description(
			"The administrators: those with a record, and those that ADMIN_EMAILS names",
		)
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil admin list")
		.action(listAll);
	return new Command("admin")
		.description(
			"Platform administrators, who see figures and never a shop's data",
		)
		.addCommand(create)
		.addCommand(list);
}

async function createOne(options: CreateOptions): Promise<void> {
	const { adminEmails } = readSettings(process.env);
	const password = await readNewPassword(options);
	const { name, email } = parseInput(z.object(accountFields), {
		...options,
		password,
	});
	const passwordHash = await hashPassword(password);
	await withShop({ create: true }, async ({ store, env }) => {
		const admin = { name, email, passwordHash };
		const { id } = await createAdmin(store, env, admin);
		if (options.json) console.log(JSON.stringify({ id, email, name }));
		else console.log(`Made the administrator ${email}`);
		if (!adminEmails.has(email))
			console.error(`Put ${email} into ADMIN_EMAILS to let it sign in`);
	});
}

async function listAll({ json }: { json?: boolean }): Promise<void> {
	const { adminEmails } = readSettings(process.env);
	await withShop({ create: false }, async ({ store }) => {
		const admins = await store.read((tx) => accounts(tx).admins());
		const known = new Set(admins.map(({ email }) => email));
		const named = [...adminEmails].filter((email) => !known.has(email));
		printRows(
			[
				...admins.map(({ id, email, name, createdAt }) => ({
					email,
					name,
					inAdminEmails: adminEmails.has(email),
					createdAt,
					id,
				})),
				...named.map((email) => ({
					email,
					name: null,
					inAdminEmails: true,
					createdAt: null,
					id: null,
				})),
			],
			{ json, empty: "There is no administrator yet" },
		);
		for (const email of named)
			console.error(
				`${email} can't sign in before "counterfoil admin create --email ${email}"`,
			);
	});
}
