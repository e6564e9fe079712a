import { Command } from "commander";
import { business } from "../../sync/entities/business.ts";
import { selectWires } from "../../sync/rows.ts";
import { printRecord, printRows } from "./print.ts";
import { chooseBusiness, withShop } from "./shop.ts";

export function businessCommand(): Command {
	const list = new Command("list")
		.description("The businesses that this server has")
		.option("--json", "print JSON")
		.addHelpText("after", "\nExample:\n  counterfoil business list")
		.action(listBusinesses);
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

async function listBusinesses({ json }: { json?: boolean }): Promise<void> {
	await withShop({ create: false }, async ({ store }) => {
		const rows = await store.read((tx) =>
			tx.all(
				`SELECT business_id, name, currency, time_zone, created_at,
         (SELECT count(*) FROM memberships WHERE memberships.business_id = businesses.business_id) AS members
         FROM businesses WHERE deleted = 0 ORDER BY created_at, business_id`,
			),
		);
		printRows(
			rows.map((row) => ({
				id: row.business_id ?? null,
				name: row.name ?? null,
				currency: row.currency ?? null,
				timeZone: row.time_zone ?? null,
				members: row.members ?? null,
				createdAt: row.created_at ?? null,
			})),
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
		const [row = {}] = await shop.store.read((tx) =>
			selectWires(tx, business, businessId, ""),
		);
		printRecord(row, { json });
	});
}
