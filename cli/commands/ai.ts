import { aiAccess, ceilingInDollars } from "../../server/gateway/access.ts";
import { toNanos } from "../../server/gateway/prices.ts";
import { toBudget } from "./budget.ts";
import { Command } from "./command.ts";
import { withBusiness, withShop } from "./open-shop.ts";
import { printRows } from "./print.ts";

export function aiCommand(): Command {
	const allow = new Command("allow")
		.description(
			"Let a business use AI with this server's provider keys; takes effect at once, also on a running server",
		)
		.argument("[business]", "business id; required if there are several")
		.option("--budget <usd>", "the business's monthly limit", toBudget)
		.option("--no-budget", "remove the monthly limit")
		.examples("counterfoil ai allow 019f3c… --budget 20")
		.action(allowBusiness);
	const deny = new Command("deny")
		.description("Stop a business from using AI")
		.argument("[business]", "business id; required if there are several")
		.examples("counterfoil ai deny 019f3c…")
		.action(denyBusiness);
	const list = new Command("list")
		.description("List which businesses may use AI, with their monthly limits")
		.printsJson()
		.examples("counterfoil ai list --json")
		.action(listBusinesses);
	return new Command("ai")
		.description("Choose which businesses may use AI at this server's expense")
		.addCommand(allow)
		.addCommand(deny)
		.addCommand(list);
}

/** @param budget false for `--no-budget` */
async function allowBusiness(
	wanted: string | undefined,
	{ budget }: { budget?: number | false },
): Promise<void> {
	await withBusiness(wanted, async (shop, businessId) => {
		const ceiling =
			budget === false
				? null
				: budget === undefined
					? undefined
					: toNanos(budget);
		const access = await shop.store.write(async (tx) => {
			await aiAccess(tx).change(businessId, { isAllowed: true, ceiling });
			return aiAccess(tx).find(businessId);
		});
		const limit = access && ceilingInDollars(access);
		console.error(
			limit === null
				? `${businessId} may use AI without a limit; --budget sets one`
				: `${businessId} may use AI for up to ${limit} USD a month`,
		);
	});
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
			all.map((access) => ({
				id: access.businessId,
				name: access.name,
				allowed: access.isAllowed,
				budget: ceilingInDollars(access),
			})),
			{ json, empty: "There are no businesses yet" },
		);
	});
}
