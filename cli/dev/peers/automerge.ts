import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
	type AutomergeUrl,
	type DocHandle,
	Repo,
} from "@automerge/automerge-repo";
import {
	WebSocketClientAdapter,
	WebSocketServerAdapter,
} from "@automerge/automerge-repo-network-websocket";
import { NodeFSStorageAdapter } from "@automerge/automerge-repo-storage-nodefs";
import { WebSocketServer } from "ws";
import type { Sale } from "../bench-sales.ts";
import { runContender } from "../contender.ts";

/**
 * An Automerge repo that stores documents in files behind a WebSocket, set up like Automerge's sync server: one document
 * for the shop, one change per sale. Clients keep the document in memory.
 */

interface Shop {
	sales: Record<string, Omit<Sale, "id">>;
}

const addressFile = "document.txt";

await runContender({
	async serve(dataDir) {
		const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
		await once(sockets, "listening");
		new Repo({
			// @ts-expect-error the package's types confuse its namespace with the class
			network: [new WebSocketServerAdapter(sockets)],
			storage: new NodeFSStorageAdapter(dataDir),
			// Share no document proactively; clients ask by address.
			sharePolicy: async () => false,
		});
		const { port } = sockets.address() as { port: number };
		return `http://127.0.0.1:${port}`;
	},

	async preparePush({ url, notesDir }, sales) {
		const repo = new Repo({ network: [] });
		const handle = repo.create<Shop>({ sales: {} });
		await writeFile(join(notesDir, addressFile), handle.url);
		for (const { id, ...sale } of sales)
			handle.change((shop) => {
				shop.sales[id] = sale;
			});
		return () =>
			new Promise((resolve) => {
				const heads = handle.heads().join();
				handle.on("remote-heads", (remote) => {
					if (remote.heads.join() === heads) resolve();
				});
				connect(repo, url);
			});
	},

	async preparePull({ url, notesDir }) {
		const address = await readFile(join(notesDir, addressFile), "utf8");
		const repo = new Repo({ network: [] });
		let handle: DocHandle<Shop> | undefined;
		const count = () => Object.keys(handle?.doc().sales ?? {}).length;
		return {
			count,
			async run(wanted) {
				const isConnected = new Promise<void>((resolve) => {
					repo.networkSubsystem.once("peer", () => resolve());
				});
				connect(repo, url);
				// A request before the connection is open fails after a second with "no such document".
				await isConnected;
				const found = await repo.find<Shop>(address as AutomergeUrl);
				handle = found;
				while (count() < wanted)
					await new Promise<void>((resolve) =>
						found.once("change", () => resolve()),
					);
			},
		};
	},
});

function connect(repo: Repo, url: string): void {
	const adapter = new WebSocketClientAdapter(url.replace("http", "ws"));
	repo.networkSubsystem.addNetworkAdapter(adapter);
}
