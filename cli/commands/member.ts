import { Argument, Option } from "commander";
import { type Member, members } from "../../server/accounts/members.ts";
import { normalEmail } from "../../server/accounts/users.ts";
import { type Role, roles } from "../../sync/entities/entity.ts";
import type { Shop } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { withBusiness } from "./open-shop.ts";
import { printRows } from "./print.ts";
import { requireUser } from "./user.ts";

interface Options {
	business?: string;
	json?: boolean;
}

export function memberCommand(): Command {
	const list = businessSubcommand("list")
		.description("List a business's members and their roles")
		.printsJson()
		.examples("counterfoil member list --json")
		.action(listMembers);
	const add = businessSubcommand("add")
		.description("Add a person who has an account")
		.argument("<email>", "the account's email")
		.addOption(
			new Option("--role <role>", "the member's role")
				.choices(roles)
				.default("CASHIER"),
		)
		.examples("counterfoil member add chege@example.com --role MANAGER")
		.action(addMember);
	const role = businessSubcommand("role")
		.description("Change a member's role")
		.argument("<email>", "the member's email")
		.addArgument(new Argument("<role>", "the new role").choices(roles))
		.examples("counterfoil member role chege@example.com OWNER")
		.action(changeRole);
	const remove = businessSubcommand("remove")
		.description("Remove a member; their account and sales stay")
		.argument("<email>", "the member's email")
		.examples("counterfoil member remove chege@example.com")
		.action(removeMember);
	return new Command("member")
		.description("Manage a business's members; the last owner can't be removed")
		.addCommand(list)
		.addCommand(add)
		.addCommand(role)
		.addCommand(remove);
}

function businessSubcommand(name: string): Command {
	return new Command(name).option(
		"--business <id>",
		"required if there are several",
	);
}

async function listMembers({ business, json }: Options): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const found = await shop.store.read((tx) => members(tx).list(businessId));
		printRows(
			found.map(({ email, name, role, disabled, createdAt, userId }) => ({
				email,
				name,
				role,
				disabled,
				createdAt,
				userId,
			})),
			{ json, empty: "The business has no members" },
		);
	});
}

async function addMember(
	email: string,
	{ business, role }: Options & { role: Role },
): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const user = await shop.store.write(async (tx) => {
			const user = await requireUser(tx, email);
			await members(tx).add(businessId, user.id, role, shop.env.now());
			return user;
		});
		console.error(`${user.email} is now ${role} of business ${businessId}`);
	});
}

async function changeRole(
	email: string,
	role: Role,
	{ business }: Options,
): Promise<void> {
	await withMember(email, business, async (tx, businessId, member, shop) => {
		const now = shop.env.now();
		await members(tx).change(businessId, member.userId, { role, now });
		return `${member.email} is now ${role} of business ${businessId}`;
	});
}

async function removeMember(
	email: string,
	{ business }: Options,
): Promise<void> {
	await withMember(email, business, async (tx, businessId, member, shop) => {
		await members(tx).remove(businessId, member.userId, shop.env.now());
		return `${member.email} is no longer a member of business ${businessId}`;
	});
}

/** @param change runs in the transaction that found the member, and returns a sentence about what it did */
async function withMember(
	email: string,
	business: string | undefined,
	change: (
		tx: Connection,
		businessId: string,
		member: Member,
		shop: Shop,
	) => Promise<string>,
): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const done = await shop.store.write(async (tx) => {
			const all = await members(tx).list(businessId);
			const member = all.find((one) => one.email === normalEmail(email));
			if (!member)
				throw new CommandError(
					`${email} is not a member; "counterfoil member list" shows the members`,
				);
			return change(tx, businessId, member, shop);
		});
		console.error(done);
	});
}
