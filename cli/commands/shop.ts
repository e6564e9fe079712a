import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { databaseFile } from "../../server/start.ts";
import { openShop, type SyncServer } from "../../sync/shop.ts";
import { openSqlite } from "../../sync/store/sqlite.ts";
import { CommandError } from "./error.ts";

/**
 * Opens the shop of `DATA_DIR` for as long as `work` takes. A server may run on it at the same time.
 *
 * @throws CommandError where there is none, and it is not to be made
 */
export async function withShop<T>(
	{ create }: { create: boolean },
	work: (shop: SyncServer) => Promise<T>,
): Promise<T> {
	const dataDir = resolve(process.env.DATA_DIR || "./data");
	const file = databaseFile({ dataDir });
	if (!create && !existsSync(file))
		throw new CommandError(`There is no shop in ${dataDir} (DATA_DIR)`);
	const store = await openSqlite(file);
	try {
		return await work(openShop({ store }));
	} finally {
		await store.close();
	}
}

/**
 * The business to work on: the only one, or the one that is named.
 *
 * @throws CommandError listing those there are
 */
export async function chooseBusiness(
	{ store }: SyncServer,
	wanted: string | undefined,
): Promise<string> {
	const rows = await store.read((tx) =>
		tx.all(
			"SELECT business_id, name FROM businesses WHERE deleted = 0 ORDER BY name",
		),
	);
	const found = rows.filter(
		({ business_id }) => wanted === undefined || business_id === wanted,
	);
	const [only] = found;
	if (only && found.length === 1) return only.business_id as string;
	if (rows.length === 0)
		throw new CommandError(
			'There is no business yet; "counterfoil user create --business-name NAME" makes one',
		);
	const list = rows.map(({ business_id, name }) => `  ${business_id}  ${name}`);
	throw new CommandError(
		[
			wanted === undefined
				? "There are several businesses; choose one with --business ID:"
				: `There is no business ${wanted}. There are:`,
			...list,
		].join("\n"),
	);
}
