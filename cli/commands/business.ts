import { Command } from "commander";
import { listBusinesses } from "../../server/operations/installation/businesses.ts";
import { businessGet } from "../../sync/queries/business.ts";
import { printRecord, printRows } from "./print.ts";
import { asOwner, chooseBusiness, withShop } from "./shop.ts";

export function businessCommand(): Command {
	const list = new Command("list")
		.description("The businesses that this server has")
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil business list")
		.action(printBusinesses);
	const show = new Command("show")
		.description("All that a business has set")
		.option("--business <id>", "where there are several")
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil business show --json")
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
			{ json, empty: "There is no business yet" },
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
	await withShop({ create: false }, async (shop) => {
		const businessId = await chooseBusiness(shop, wanted);
		const found = await shop.ask(asOwner(businessId), businessGet, {});
		printRecord(found, { json });
	});
}
