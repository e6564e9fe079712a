import { databaseBytes } from "../../server/operations/database.ts";
import {
	countRecords,
	listBusinesses,
} from "../../server/operations/installation/businesses.ts";
import { countInstallation } from "../../server/operations/installation/figures.ts";
import { businessCounts } from "../../sync/queries/business.ts";
import { Command } from "./command.ts";
import {
	asOwner,
	chooseBusiness,
	databasePlace,
	withShop,
} from "./open-shop.ts";
import { printRecord } from "./print.ts";

interface Options {
	business?: string;
	json?: boolean;
}

export function statsCommand(): Command {
	return new Command("stats")
		.description(
			"Show record counts and sizes of the installation and its businesses",
		)
		.option("--business <id>", "show only this business")
		.printsJson()
		.examples("counterfoil stats")
		.action(stats);
}

async function stats({ business, json }: Options): Promise<void> {
	await withShop({ create: false }, async (shop) => {
		const only =
			business === undefined ? undefined : await chooseBusiness(shop, business);
		const counts = await shop.store.read(countInstallation);
		const businesses = [];
		for (const { id, name } of await shop.store.read(listBusinesses))
			if (only === undefined || id === only) {
				const kept = await shop.store.read((tx) => countRecords(tx, id));
				const { records, ...sold } = await shop.ask(
					asOwner(id),
					businessCounts,
					{},
				);
				businesses.push({ businessId: id, name, ...kept, ...records, ...sold });
			}
		const place = databasePlace();
		const installation = {
			dataDir: place.dataDir,
			databaseBytes: await databaseBytes(place, shop.store),
			...counts,
		};
		if (json) {
			const all =
				only === undefined ? { installation, businesses } : businesses[0];
			console.log(JSON.stringify(all, null, 2));
			return;
		}
		if (only === undefined) printRecord(installation, {});
		for (const [i, one] of businesses.entries()) {
			if (only === undefined || i > 0) console.log("");
			printRecord(one, {});
		}
	});
}
