import { apiKeys } from "../../server/accounts/api-keys.ts";
import {
	aiLimits,
	budgetInDollars,
	budgetInNanos,
	noLimits,
} from "../../server/gateway/limits.ts";
import { toBudget } from "./budget.ts";
import { Command, toCount } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { withBusiness } from "./open-shop.ts";
import { printRows } from "./print.ts";

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
	const create = businessSubcommand("create")
		.description("Create a key for a program; it is shown only once")
		.requiredOption("--name <name>", "the key's purpose")
		.option("--monthly-budget <usd>", "the key's monthly limit", toBudget)
		.option("--requests-per-minute <count>", "the key's rate limit", toCount)
		.examples('counterfoil key create --name "Stock report" --monthly-budget 5')
		.action(createKey);
	const list = businessSubcommand("list")
		.description("List the keys and when each was last used")
		.examples("counterfoil key list --json")
		.action(listKeys);
	const revoke = businessSubcommand("revoke")
		.description(
			"Revoke a key permanently; a running server rejects it within a second",
		)
		.argument("<id>", 'the key\'s id, from "counterfoil key list"')
		.examples("counterfoil key revoke 019f3c…")
		.action(revokeKey);
	return new Command("key")
		.description("Manage keys for the AI gateway")
		.addCommand(create)
		.addCommand(list)
		.addCommand(revoke);
}

function businessSubcommand(name: string): Command {
	return new Command(name).ofBusiness().printsJson();
}

async function createKey(options: CreateOptions): Promise<void> {
	const name = options.name.trim();
	if (name === "") throw new CommandError("--name must not be empty");
	await withBusiness(options.business, async (shop, businessId) => {
		const { monthlyBudget, requestsPerMinute = null } = options;
		const made = await shop.store.write((tx) =>
			apiKeys(tx).create(shop.env, {
				businessId,
				userId: null,
				name,
				monthlyBudget: budgetInNanos(monthlyBudget ?? null),
				requestsPerMinute,
			}),
		);
		if (options.json) console.log(JSON.stringify(made));
		else {
			console.log(made.key);
			console.error("Save the key now: it is not shown again");
		}
	});
}

async function listKeys({ business, json }: Options): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const { keys, limits } = await shop.store.read(async (tx) => ({
			keys: await apiKeys(tx).list(businessId),
			limits: await aiLimits(tx, businessId).find(),
		}));
		printRows(
			keys.map((key) => ({
				id: key.id,
				name: key.name,
				hint: key.hint,
				monthlyBudget: budgetInDollars(limits.get(key.id) ?? noLimits),
				requestsPerMinute: limits.get(key.id)?.requestsPerMinute ?? null,
				createdAt: key.createdAt,
				lastUsedAt: key.lastUsedAt,
				revokedAt: key.revokedAt,
			})),
			{ json, empty: "There are no keys yet" },
		);
	});
}

async function revokeKey(id: string, { business }: Options): Promise<void> {
	await withBusiness(business, async (shop, businessId) => {
		const revoked = await shop.store.write((tx) =>
			apiKeys(tx).revoke(businessId, id, shop.env.now()),
		);
		if (!revoked)
			throw new CommandError(
				`There is no active key ${id}; "counterfoil key list" shows them all`,
			);
		console.error(`Revoked ${id}`);
	});
}
