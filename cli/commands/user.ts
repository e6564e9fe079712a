import { Command, Option } from "commander";
import { registration } from "../../server/api/auth.ts";
import { openPasswords } from "../../server/auth/passwords.ts";
import { createAdmin, createUser } from "../../server/auth/users.ts";
import { parseInput } from "../../server/input.ts";
import { readSettings } from "../../server/settings.ts";
import { type Role, roles } from "../../sync/entity.ts";
import { askPassword } from "./ask-password.ts";
import { CommandError } from "./error.ts";
import { chooseBusiness, withShop } from "./shop.ts";

interface Options {
	email: string;
	name: string;
	role: Role;
	business?: string;
	businessName?: string;
	currency?: string;
	timeZone?: string;
	admin?: true;
	passwordStdin?: true;
}

export function userCommand(): Command {
	return new Command("user")
		.description("Accounts")
		.addCommand(
			new Command("create")
				.description(
					"Makes an account: with a business of its own (--business-name), for one that is there, or an administrator's (--admin)",
				)
				.requiredOption("--email <email>")
				.requiredOption("--name <name>")
				.addOption(
					new Option("--role <role>", "in a business that is there")
						.choices(roles)
						.default("CASHIER"),
				)
				.option("--business <id>", "where there are several")
				.option("--business-name <name>", "make this business, and its owner")
				.option("--currency <code>", "of the new business, such as KES")
				.option(
					"--time-zone <zone>",
					"of the new business, such as Africa/Nairobi",
				)
				.option(
					"--admin",
					"a platform administrator; the email must be in ADMIN_EMAILS to sign in",
				)
				.option("--password-stdin", "read the password from standard input")
				.action(create),
		);
}

async function create(options: Options): Promise<void> {
	const { adminEmails } = readSettings(process.env);
	const password = await askPassword(options.passwordStdin === true);
	const { name, email, business } = parseInput(registration, {
		...options,
		password,
	});
	if (options.admin !== true && adminEmails.has(email))
		throw new CommandError(
			`${email} is in ADMIN_EMAILS: it can only be an administrator's (--admin)`,
		);
	const passwords = openPasswords();
	const passwordHash = await passwords.hash(password);
	await passwords.close();
	await withShop({ create: true }, async (shop) => {
		const { store, env } = shop;
		const account = { name, email, passwordHash };
		if (options.admin === true) {
			await createAdmin(store, env, account);
			console.log(`Made the administrator ${email}`);
			if (!adminEmails.has(email))
				console.log(`Put ${email} into ADMIN_EMAILS to let it sign in`);
			return;
		}
		const membership =
			options.businessName === undefined
				? {
						businessId: await chooseBusiness(shop, options.business),
						role: options.role,
					}
				: { business };
		const made = await createUser(store, env, account, membership);
		const role = "business" in membership ? "OWNER" : membership.role;
		console.log(`Made ${email}, ${role} of business ${made.businessId}`);
	});
}
