import { join } from "node:path";
import { SQLite } from "@hocuspocus/extension-sqlite";
import {
	HocuspocusProvider,
	HocuspocusProviderWebsocket,
} from "@hocuspocus/provider";
import { Server } from "@hocuspocus/server";
import * as Y from "yjs";
import { runContender } from "../contender.ts";

/**
 * Yjs with Hocuspocus and its SQLite extension in default settings: one document for the shop, each sale as plain JSON
 * under its id. Both sides keep the document in memory.
 */

await runContender({
	async serve(dataDir) {
		const server = new Server({
			port: 0,
			address: "127.0.0.1",
			quiet: true,
			extensions: [new SQLite({ database: join(dataDir, "shop.db") })],
		});
		await server.listen(0);
		return `http://127.0.0.1:${server.address.port}`;
	},

	async preparePush({ url }, sales) {
		const document = new Y.Doc();
		const map = document.getMap("sales");
		for (const { id, ...sale } of sales) map.set(id, sale);
		return () =>
			new Promise((resolve) => {
				const provider = connect(url, document);
				provider.on("unsyncedChanges", () => {
					if (!provider.hasUnsyncedChanges) resolve();
				});
			});
	},

	async preparePull({ url }) {
		const document = new Y.Doc();
		const map = document.getMap("sales");
		return {
			count: () => map.size,
			run: (wanted) =>
				new Promise<void>((resolve) => {
					map.observe(() => {
						if (map.size >= wanted) resolve();
					});
					connect(url, document);
				}),
		};
	},
});

function connect(url: string, document: Y.Doc): HocuspocusProvider {
	const websocketProvider = new HocuspocusProviderWebsocket({
		url: url.replace("http", "ws"),
	});
	const provider = new HocuspocusProvider({
		websocketProvider,
		name: "shop",
		document,
	});
	provider.attach();
	return provider;
}
