import * as z from "zod";
import { accounts } from "../../server/accounts/accounts.ts";
import { accountFields } from "../../server/accounts/auth-routes.ts";
import { createAdmin } from "../../server/accounts/users.ts";
import { parseInput } from "../../server/http/input.ts";
import { readSettings } from "../../server/settings.ts";
import { Command } from "./command.ts";
import { withShop } from "./open-shop.ts";
import { hashPassword, readNewPassword } from "./password.ts";
import { printRows } from "./print.ts";

interface CreateOptions {
	email: string;
	name: string;
	passwordStdin?: true;
	json?: boolean;
}

export function adminCommand(): Command {
	const create = new Command("create")
		.description(
			"Create an administrator account; to sign in, its email must also be in ADMIN_EMAILS",
		)
		.requiredOption("--email <email>", "the email to sign in with")
		.requiredOption("--name <name>", "the name shown in the app")
		.option("--password-stdin", "read the password from standard input")
		.printsJson()
		.examples("counterfoil admin create --email root@example.com --name Root")
		.action(createOne);
	const list = new Command("list")
		.description("List administrator accounts and the emails in ADMIN_EMAILS")
		.printsJson()
		.examples("counterfoil admin list")
		.action(listAll);
	return new Command("admin")
		.description(
			"Platform administrators: they see statistics, never a shop's data",
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
		else console.log(`Created administrator ${email}`);
		if (!adminEmails.has(email))
			console.error(
				`To sign in, ${email} must be in ADMIN_EMAILS; add it there`,
			);
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
			{ json, empty: "There are no administrators yet" },
		);
		for (const email of named)
			console.error(
				`${email} has no account yet; create it with "counterfoil admin create --email ${email}"`,
			);
	});
}
