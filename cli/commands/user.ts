import { Option } from "commander";
import * as z from "zod";
import { accounts, type UserAccount } from "../../server/accounts/accounts.ts";
import {
	accountFields,
	registration,
} from "../../server/accounts/auth-routes.ts";
import {
	createUser,
	normalEmail,
	setEmail,
	setPassword,
} from "../../server/accounts/users.ts";
import { parseInput } from "../../server/http/input.ts";
import { readSettings } from "../../server/settings.ts";
import { type Role, roles } from "../../sync/entities/entity.ts";
import type { Connection } from "../../sync/store/store.ts";
import { Command } from "./command.ts";
import { CommandError, UsageError } from "./command-error.ts";
import { chooseBusiness, withShop } from "./open-shop.ts";
import { hashPassword, readNewPassword } from "./password.ts";
import { printRows, say } from "./print.ts";

interface PasswordOptions {
	passwordStdin?: true;
}
interface CreateOptions extends PasswordOptions {
	email: string;
	name: string;
	role: Role;
	business?: string;
	businessName?: string;
	currency?: string;
	timeZone?: string;
	json?: boolean;
}

export function userCommand(): Command {
	return new Command("user")
		.description("Manage accounts of the people who work in a shop")
		.addCommand(createCommand())
		.addCommand(
			new Command("list")
				.description("List all accounts and their businesses")
				.printsJson()
				.examples("counterfoil user list")
				.action(list),
		)
		.addCommand(
			userSubcommand("password")
				.description("Set a new password and sign the user out everywhere")
				.option("--password-stdin", "read the password from standard input")
				.examples("counterfoil user password asha@example.com")
				.action(changePassword),
		)
		.addCommand(
			userSubcommand("email")
				.argument("<new-email>", "the email to sign in with from now on")
				.description("Change an account's email")
				.examples("counterfoil user email asha@example.com asha@duka.example")
				.action(changeEmail),
		)
		.addCommand(
			userSubcommand("disable")
				.description("Block an account and sign it out everywhere, at once")
				.examples("counterfoil user disable asha@example.com")
				.action(disable),
		)
		.addCommand(
			userSubcommand("enable")
				.description("Unblock an account")
				.examples("counterfoil user enable asha@example.com")
				.action(enable),
		);
}

function createCommand(): Command {
	return new Command("create")
		.description(
			"Create an account, in a new business (--business-name) or an existing one",
		)
		.requiredOption("--email <email>", "the email to sign in with")
		.requiredOption("--name <name>", "the person's name")
		.addOption(
			new Option("--role <role>", "the role in an existing business")
				.choices(roles)
				.default("CASHIER"),
		)
		.option(
			"--business <id>",
			"the existing business; required if there are several",
		)
		.addOption(
			new Option(
				"--business-name <name>",
				"create this business, with the user as owner",
			).conflicts("business"),
		)
		.option("--currency <code>", "the new business's currency, such as KES")
		.option(
			"--time-zone <zone>",
			"the new business's zone, such as Africa/Nairobi",
		)
		.option("--password-stdin", "read the password from standard input")
		.printsJson()
		.examples(
			'counterfoil user create --email asha@example.com --name Asha --business-name "Duka la Asha"',
		)
		.action(create);
}

function userSubcommand(name: string): Command {
	return new Command(name).argument("<email>", "the account's email");
}

async function create(options: CreateOptions): Promise<void> {
	const { businessName, currency, timeZone } = options;
	if (businessName === undefined && (currency ?? timeZone) !== undefined)
		throw new UsageError(
			"--currency and --time-zone are a new business's; name it with --business-name",
		);
	const { adminEmails } = readSettings(process.env);
	const password = await readNewPassword(options);
	const { name, email, business } = parseInput(registration, {
		...options,
		password,
	});
	assertNoAdmin(email, adminEmails);
	const passwordHash = await hashPassword(password);
	await withShop({ create: true }, async (shop) => {
		const membership =
			businessName === undefined
				? {
						businessId: await chooseBusiness(shop, options.business),
						role: options.role,
					}
				: { business };
		const { id, businessId } = await createUser(
			shop.store,
			shop.env,
			{ name, email, passwordHash },
			membership,
		);
		const role = "business" in membership ? "OWNER" : membership.role;
		if (options.json)
			console.log(JSON.stringify({ id, email, name, role, businessId }));
		else console.log(`Created ${email}, ${role} of business ${businessId}`);
	});
}

async function list({ json }: { json?: boolean }): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const users = await store.read((tx) => accounts(tx).users());
		if (json) {
			console.log(JSON.stringify(users, null, 2));
			return;
		}
		printRows(
			users.map(({ id, email, name, memberships, disabledAt }) => ({
				email,
				name,
				works: memberships
					.map(({ role, businessName }) => `${role} of ${businessName}`)
					.join(", "),
				disabledAt,
				id,
			})),
			{ empty: "There are no accounts yet" },
		);
	});
}

async function changePassword(
	email: string,
	options: PasswordOptions,
): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const user = await store.read((tx) => requireUser(tx, email));
		const { password } = parseInput(
			z.object({ password: accountFields.password }),
			{ password: await readNewPassword(options) },
		);
		const passwordHash = await hashPassword(password);
		await store.write((tx) => setPassword(tx, user.id, passwordHash));
		console.error(`${user.email} has a new password`);
	});
}

async function changeEmail(known: string, wanted: string): Promise<void> {
	const { adminEmails } = readSettings(process.env);
	const { email } = parseInput(z.object({ email: accountFields.email }), {
		email: wanted,
	});
	assertNoAdmin(email, adminEmails);
	await withShop({ create: false }, async ({ store }) => {
		const user = await store.write(async (tx) => {
			const user = await requireUser(tx, known);
			await setEmail(tx, user.id, email);
			return user;
		});
		say(`${user.name} signs in as ${email} now`);
	});
}

/** @throws CommandError for an email that only an administrator can have */
export function assertNoAdmin(
	email: string,
	adminEmails: ReadonlySet<string>,
): void {
	if (adminEmails.has(email))
		throw new CommandError(
			`${email} is in ADMIN_EMAILS, so it can only be an administrator; use "counterfoil admin create", or another email`,
		);
}

async function disable(email: string): Promise<void> {
	await withShop({ create: false }, async ({ store, env }) => {
		const user = await store.write(async (tx) => {
			const user = await requireUser(tx, email);
			await accounts(tx).disable(user, env.now());
			return user;
		});
		console.error(`${user.email} can no longer sign in`);
	});
}

async function enable(email: string): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const user = await store.write(async (tx) => {
			const user = await requireUser(tx, email);
			await accounts(tx).enable(user);
			return user;
		});
		console.error(`${user.email} can sign in again`);
	});
}

/** Finds a user by email. @throws CommandError if there is none */
export async function requireUser(
	tx: Connection,
	email: string,
): Promise<UserAccount> {
	const user = await accounts(tx).findUser(normalEmail(email));
	if (!user)
		throw new CommandError(
			`There is no account ${email}; "counterfoil user list" shows them`,
		);
	return user;
}
