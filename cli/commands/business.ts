import { listBusinesses } from "../../server/operations/installation/businesses.ts";
import { businessGet } from "../../sync/queries/business.ts";
import { Command } from "./command.ts";
import { asOwner, withBusiness, withShop } from "./open-shop.ts";
import { printRecord, printRows } from "./print.ts";

export function businessCommand(): Command {
	const list = new Command("list")
		.description("List the businesses on this server")
		.printsJson()
		.examples("counterfoil business list")
		.action(printBusinesses);
	const show = new Command("show")
		.description("Show a business's settings")
		.ofBusiness()
		.printsJson()
		.examples("counterfoil business show --json")
		.action(showBusiness);
	return new Command("business")
		.description("Businesses")
		.addCommand(list)
		.addCommand(show);
}

async function printBusinesses({ json }: { json?: boolean }): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const rows = await store.read(listBusinesses);
		printRows(
			rows.map((row) => ({ ...row })),
			{ json, empty: "There are no businesses yet" },
		);
	});
}

async function showBusiness({
	business: wanted,
	json,
}: {
	business?: string;
	json?: boolean;
}): Promise<void> {
	await withBusiness(wanted, async (shop, businessId) => {
		const found = await shop.ask(asOwner(businessId), businessGet, {});
		printRecord(found, { json });
	});
}
