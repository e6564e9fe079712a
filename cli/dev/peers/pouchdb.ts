import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runContender } from "../contender.ts";

/**
 * PouchDB's replication to an express-pouchdb server, set up as in their documentation: LevelDB on both sides, one document
 * per sale, batches of 100.
 */
const require = createRequire(import.meta.url);
const PouchDB = require("pouchdb");

await runContender({
	async serve(dataDir) {
		const express = require("express");
		const expressPouchDb = require("express-pouchdb");
		const Stored = PouchDB.defaults({ prefix: `${dataDir}/` });
		const app = express();
		app.use(
			"/",
			expressPouchDb(Stored, {
				configPath: join(dataDir, "config.json"),
				logPath: join(dataDir, "log.txt"),
			}),
		);
		return new Promise((resolve) => {
			const server = app.listen(0, "127.0.0.1", () => {
				const { port } = server.address() as AddressInfo;
				resolve(`http://127.0.0.1:${port}`);
			});
		});
	},

	async preparePush({ url, notesDir }, sales) {
		const local = new PouchDB(join(notesDir, "pushing"));
		await local.bulkDocs(
			sales.map(({ id, ...sale }) => ({ _id: id, ...sale })),
		);
		return async () => {
			const { docs_written: written } = await local.replicate.to(`${url}/shop`);
			if (written !== sales.length)
				throw new Error(`PouchDB wrote ${written} of ${sales.length}`);
		};
	},

	async preparePull({ url, notesDir }) {
		const local = new PouchDB(join(notesDir, "pulling"));
		return {
			run: () => local.replicate.from(`${url}/shop`),
			count: async () => (await local.info()).doc_count,
		};
	},
});
