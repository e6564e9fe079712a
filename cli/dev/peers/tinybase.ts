import { once } from "node:events";
import { join } from "node:path";
import { createMergeableStore } from "tinybase";
import { createFilePersister } from "tinybase/persisters/persister-file";
import { createWsSynchronizer } from "tinybase/synchronizers/synchronizer-ws-client";
import { createWsServer } from "tinybase/synchronizers/synchronizer-ws-server";
import { WebSocket, WebSocketServer } from "ws";
import { runContender } from "../contender.ts";

type Keep = NonNullable<Parameters<typeof createWsServer>[1]>;

/**
 * TinyBase's WebSocket server with a file for each path, as in its documentation; a row for each sale, its lines in one
 * cell. The store is in memory on both sides.
 */

/** A second is the default, in which 10,000 sales can't always be answered for. */
const requestTimeoutSeconds = 10;

await runContender({
	async serve(dataDir) {
		const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
		const isReady = new Promise<void>((resolve) => {
			const keep: Keep = (path) => [
				createFilePersister(
					createMergeableStore(),
					join(dataDir, `${path.replaceAll("/", "-")}.json`),
				),
				(store) => {
					// The protocol has no acknowledgement: the server tells in a value of its own how many it holds.
					store.addTableListener("sales", () =>
						setImmediate(() =>
							store.setValue("held", store.getRowCount("sales")),
						),
					);
					resolve();
				},
			];
			createWsServer(sockets, keep, undefined, requestTimeoutSeconds);
		});
		await once(sockets, "listening");
		const { port } = sockets.address() as { port: number };
		// A path's first client waits for as long as a request may take. A till that says nothing is there before.
		new WebSocket(`ws://127.0.0.1:${port}/shop`);
		await isReady;
		return `http://127.0.0.1:${port}`;
	},

	async preparePush({ url }, sales) {
		const store = createMergeableStore();
		for (const { id, ...sale } of sales) store.setRow("sales", id, sale);
		return async () => {
			const held = new Promise<void>((resolve) => {
				store.addValueListener("held", (_, __, value) => {
					if (value === sales.length) resolve();
				});
			});
			await connect(store, url);
			await held;
		};
	},

	async preparePull({ url }) {
		const store = createMergeableStore();
		const count = () => store.getRowCount("sales");
		return {
			count,
			async run(wanted) {
				const all = new Promise<void>((resolve) => {
					store.addTableListener("sales", () => {
						if (count() >= wanted) resolve();
					});
				});
				await connect(store, url);
				if (count() < wanted) await all;
			},
		};
	},
});

async function connect(
	store: ReturnType<typeof createMergeableStore>,
	url: string,
): Promise<void> {
	const socket = new WebSocket(`${url.replace("http", "ws")}/shop`);
	const synchronizer = await createWsSynchronizer(
		store,
		socket,
		requestTimeoutSeconds,
		undefined,
		undefined,
		console.error,
	);
	// It ends only once every request has been answered or given up: what came is seen in the store.
	synchronizer.startSync().catch(console.error);
}
