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
 * TinyBase's WebSocket server with a file per path, as in its documentation: one row per sale, with its lines in one cell.
 * Both sides keep the store in memory.
 */

/** The default of one second is too short to answer for 10,000 sales. */
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
					// The protocol has no acknowledgement, so the server publishes its row count in a value.
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
		// A path's first client waits for a full request timeout, so connect a silent one before.
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
	// It resolves only when every request was answered or timed out, so watch the store instead.
	synchronizer.startSync().catch(console.error);
}
