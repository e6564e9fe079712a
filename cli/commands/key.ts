import { Command, InvalidArgumentError } from "commander";
import { apiKeys } from "../../server/accounts/api-keys.ts";
import { toDollars, toNanos } from "../../server/gateway/prices.ts";
import { toBudget } from "./budget.ts";
import { CommandError } from "./error.ts";
import { printRows } from "./print.ts";
import { chooseBusiness, withShop } from "./shop.ts";

interface Options {
	business?: string;
	json?: boolean;
}
interface CreateOptions extends Options {
	name: string;
	monthlyBudget?: number;
	requestsPerMinute?: number;
}

export function keyCommand(): Command {
	const create = inBusiness("create")
		.description("Make a key for a program; it is shown this once")
		.requiredOption("--name <name>", "what it is for")
		.option("--monthly-budget <usd>", "no more than this a month", toBudget)
		.option(
			"--requests-per-minute <count>",
			"no more than these a minute",
			toCount,
		)
		.addHelpText(
			"after",
			'\nExample:\n  counterfoil key create --name "Stock report" --monthly-budget 5',
		)
		.action(createKey);
	const list = inBusiness("list")
		.description("The keys, with when they were last used")
		.addHelpText("after", "\nExample:\n  counterfoil key list --json")
		.action(listKeys);
	const revoke = inBusiness("revoke")
		.description(
			"Revoke a key for good; a running server knows within a second",
		)
		.argument("<id>", "as the list has it")
		.addHelpText("after", "\nExample:\n  counterfoil key revoke 019f3c…")
		.action(revokeKey);
	return new Command("key")
		.description("Keys of the AI gateway")
		.addCommand(create)
		.addCommand(list)
		.addCommand(revoke);
}

function inBusiness(name: string): Command {
	return new Command(name)
		.option("--business <id>", "where there are several")
		.option("--json", "print JSON");
}

async function createKey(options: CreateOptions): Promise<void> {
	const name = options.name.trim();
	if (name === "") throw new CommandError("--name must say something");
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, options.business);
		const { monthlyBudget, requestsPerMinute = null } = options;
		const made = await shop.store.write((tx) =>
			apiKeys(tx).create(shop.env, {
				businessId,
				userId: null,
				name,
				monthlyBudget:
					monthlyBudget === undefined ? null : toNanos(monthlyBudget),
				requestsPerMinute,
			}),
		);
		if (options.json) console.log(JSON.stringify(made));
		else {
			console.log(made.key);
			console.error("Keep it now: it is not shown again");
		}
	});
}

async function listKeys({ business, json }: Options): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, business);
		const keys = await shop.store.read((tx) => apiKeys(tx).list(businessId));
		printRows(
			keys.map((key) => ({
				id: key.id,
				name: key.name,
				hint: key.hint,
				monthlyBudget:
					key.monthlyBudget === null ? null : toDollars(key.monthlyBudget),
				requestsPerMinute: key.requestsPerMinute,
				createdAt: key.createdAt,
				lastUsedAt: key.lastUsedAt,
				revokedAt: key.revokedAt,
			})),
			{ json, empty: "There is no key yet" },
		);
	});
}

async function revokeKey(id: string, { business }: Options): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, business);
		const revoked = await shop.store.write((tx) =>
			apiKeys(tx).revoke(businessId, id, shop.env.now()),
		);
		if (!revoked)
			throw new CommandError(
				`There is no key ${id} that works; "counterfoil key list" shows them`,
			);
		console.error(`Revoked ${id}`);
	});
}

function toCount(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 1)
		throw new InvalidArgumentError("It must be a whole number, 1 or more.");
	return value;
}
