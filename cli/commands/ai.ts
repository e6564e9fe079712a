import { Option } from "commander";
import { apiKeys } from "../../server/accounts/api-keys.ts";
import { members } from "../../server/accounts/members.ts";
import { normalEmail } from "../../server/accounts/users.ts";
import { aiAccess } from "../../server/gateway/access.ts";
import { readCalls } from "../../server/gateway/calls.ts";
import {
	aiLimits,
	budgetInDollars,
	budgetInNanos,
	businessAccount,
	noLimits,
} from "../../server/gateway/limits.ts";
import type { Connection } from "../../sync/store/store.ts";
import { toBudget } from "./budget.ts";
import { Command, toCount } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { withBusiness, withShop } from "./open-shop.ts";
import { printRows, say } from "./print.ts";

/** What `allow` limits; false is for `--no-budget` and the like. */
interface AllowOptions {
	budget?: number | false;
	requestsPerMinute?: number | false;
	member?: string;
	key?: string;
}

export function aiCommand(): Command {
	const allow = new Command("allow")
		.description(
			"Let a business use AI with this server's provider keys, or limit one of its members or keys; takes effect at once, also on a running server",
		)
		.argument("[business]", "business id; required if there are several")
		.option("--budget <usd>", "the monthly limit", toBudget)
		.option("--no-budget", "remove the monthly limit")
		.option("--requests-per-minute <count>", "the rate limit", toCount)
		.option("--no-requests-per-minute", "remove the rate limit")
		.option("--member <email>", "limit this member's use of AI in the app")
		.addOption(new Option("--key <id>", "limit this key").conflicts("member"))
		.examples(
			"counterfoil ai allow 019f3c… --budget 20",
			"counterfoil ai allow --member chege@example.com --budget 2",
		)
		.action(allowBusiness);
	const deny = new Command("deny")
		.description("Stop a business from using AI")
		.argument("[business]", "business id; required if there are several")
		.examples("counterfoil ai deny 019f3c…")
		.action(denyBusiness);
	const list = new Command("list")
		.description("List which businesses may use AI, with their limits")
		.printsJson()
		.examples("counterfoil ai list --json")
		.action(listBusinesses);
	const calls = new Command("calls")
		.description(
			"List a business's newest AI calls: who made each, and what it cost",
		)
		.argument("[business]", "business id; required if there are several")
		.option("--limit <count>", "how many", toCount, 20)
		.printsJson()
		.examples("counterfoil ai calls --limit 100 --json")
		.action(listCalls);
	return new Command("ai")
		.description("Choose which businesses may use AI at this server's expense")
		.addCommand(allow)
		.addCommand(deny)
		.addCommand(list)
		.addCommand(calls);
}

async function allowBusiness(
	wanted: string | undefined,
	options: AllowOptions,
): Promise<void> {
	const { budget, requestsPerMinute } = options;
	await withBusiness(wanted, async (shop, businessId) => {
		const { id, name, limits } = await shop.store.write(async (tx) => {
			const account = await findAccount(tx, businessId, options);
			if (account.id === businessAccount)
				await aiAccess(tx).change(businessId, { isAllowed: true });
			const ledger = aiLimits(tx, businessId);
			await ledger.change(account.id, {
				monthlyBudget: budget === false ? null : budgetInNanos(budget),
				requestsPerMinute:
					requestsPerMinute === false ? null : requestsPerMinute,
			});
			const all = await ledger.find([account.id]);
			return { ...account, limits: all.get(account.id) ?? noLimits };
		});
		const rate =
			limits.requestsPerMinute === null
				? ""
				: `, with ${limits.requestsPerMinute} requests a minute`;
		const usd = budgetInDollars(limits);
		say(
			usd !== null
				? `${name} may use AI for up to ${usd} USD a month${rate}`
				: id === businessAccount
					? `${name} may use AI without a limit${rate}; --budget sets one`
					: `${name} may use AI up to the business's limits${rate}; --budget sets another`,
		);
	});
}

/** @throws CommandError if there is no such member or key */
async function findAccount(
	tx: Connection,
	businessId: string,
	{ member, key }: AllowOptions,
): Promise<{ id: string; name: string }> {
	if (key !== undefined) {
		const all = await apiKeys(tx).list(businessId);
		const found = all.find(({ id, revokedAt }) => id === key && !revokedAt);
		if (found) return found;
		throw new CommandError(
			`There is no active key ${key}; "counterfoil key list" shows them all`,
		);
	}
	if (member === undefined) return { id: businessAccount, name: businessId };
	const all = await members(tx).list(businessId);
	const found = all.find(({ email }) => email === normalEmail(member));
	if (found) return { id: found.userId, name: found.email };
	throw new CommandError(
		`${member} is not a member; "counterfoil member list" shows the members`,
	);
}

async function denyBusiness(wanted: string | undefined): Promise<void> {
	await withBusiness(wanted, async (shop, businessId) => {
		await shop.store.write((tx) =>
			aiAccess(tx).change(businessId, { isAllowed: false }),
		);
		console.error(`${businessId} can no longer use AI`);
	});
}

async function listBusinesses({ json }: { json?: boolean }): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const all = await store.read((tx) => aiAccess(tx).list());
		printRows(
			all.map(({ businessId, name, isAllowed, limits }) => ({
				id: businessId,
				name,
				allowed: isAllowed,
				budget: budgetInDollars(limits),
				requestsPerMinute: limits.requestsPerMinute,
			})),
			{ json, empty: "There are no businesses yet" },
		);
	});
}

async function listCalls(
	wanted: string | undefined,
	{ limit, json }: { limit: number; json?: boolean },
): Promise<void> {
	await withBusiness(wanted, async ({ store }, businessId) => {
		const { calls } = await store.read((tx) =>
			readCalls(tx, businessId, { from: "", to: "9999-12-31", limit }),
		);
		printRows(
			calls.map(({ id: _, keyId, userId, ...call }) => ({
				...call,
				by: keyId ?? userId,
			})),
			{ json, empty: "There are no calls yet" },
		);
	});
}
