import { join } from "node:path";
import { batchMax } from "../../sync/protocol/protocol.ts";
import { runContender } from "./contender.ts";
import { openRawShop } from "./raw-shop.ts";

/** The upper bound set by disk and better-sqlite3: Counterfoil's rows in its batches, without server, protocol or client. */
await runContender({
	async serve() {
		throw new Error("There is no server here");
	},
	async preparePush({ notesDir }, sales) {
		const shop = openRawShop(join(notesDir, "raw.db"));
		return async () => {
			shop.write(sales, batchMax);
			process.on("exit", () => shop.close());
		};
	},
	async preparePull() {
		throw new Error("There is no server to pull from");
	},
});
