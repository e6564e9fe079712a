import { Argument, Command, Option } from "commander";
import { type Member, members } from "../../server/accounts/members.ts";
import { normalEmail } from "../../server/accounts/users.ts";
import { type Role, roles } from "../../sync/entities/entity.ts";
import type { Shop } from "../../sync/shop.ts";
import type { Connection } from "../../sync/store/store.ts";
import { CommandError } from "./error.ts";
import { printRows } from "./print.ts";
import { chooseBusiness, withShop } from "./shop.ts";
import { requireUser } from "./user.ts";

interface Options {
	business?: string;
	json?: boolean;
}

export function memberCommand(): Command {
	const list = inBusiness("list")
		.description("Who works in a business, and as what")
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil member list --json")
		.action(listMembers);
	const add = inBusiness("add")
		.description("Take in someone who has an account")
		.argument("<email>", "of the account")
		.addOption(
			new Option("--role <role>", "what they are here")
				.choices(roles)
				.default("CASHIER"),
		)
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil member add chege@example.com --role MANAGER",
		)
		.action(addMember);
	const role = inBusiness("role")
		.description("Make someone an owner, a manager or a cashier")
		.argument("<email>", "of the member")
		.addArgument(new Argument("<role>", "what they are to be").choices(roles))
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil member role chege@example.com OWNER",
		)
		.action(changeRole);
	const remove = inBusiness("remove")
		.description("Let someone go; their account, and what they sold, stay")
		.argument("<email>", "of the member")
		.addHelpText(
			"after",
			"\nExample:\n  counterfoil member remove chege@example.com",
		)
		.action(removeMember);
	return new Command("member")
		.description("Who works in a business; it always keeps an owner")
		.addCommand(list)
		.addCommand(add)
		.addCommand(role)
		.addCommand(remove);
}

function inBusiness(name: string): Command {
	return new Command(name).option("--business <id>", "where there are several");
}

async function listMembers({ business, json }: Options): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, business);
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
			{ json, empty: "Nobody works here" },
		);
	});
}

async function addMember(
	email: string,
	{ business, role }: Options & { role: Role },
): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, business);
		const user = await shop.store.write(async (tx) => {
			const user = await requireUser(tx, email);
			await members(tx).add(businessId, user.id, role, shop.env.now());
			return user;
		});
		console.error(`${user.email} is ${role} of business ${businessId}`);
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
		return `${member.email} is ${role} of business ${businessId}`;
	});
}

async function removeMember(
	email: string,
	{ business }: Options,
): Promise<void> {
	await withMember(email, business, async (tx, businessId, member, shop) => {
		await members(tx).remove(businessId, member.userId, shop.env.now());
		return `${member.email} belongs to business ${businessId} no longer`;
	});
}

/** @param change is told in one transaction, and says what it did */
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
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, business);
		const done = await shop.store.write(async (tx) => {
			const all = await members(tx).list(businessId);
			const member = all.find((one) => one.email === normalEmail(email));
			if (!member)
				throw new CommandError(
					`${email} does not work here; "counterfoil member list" shows who does`,
				);
			return change(tx, businessId, member, shop);
		});
		console.error(done);
	});
}
