import type { Env } from "../../../sync/protocol/ids.ts";
import { openSqlite } from "../../../sync/store/sqlite.ts";
import { openLogger } from "../../operations/logger.ts";
import { openGateway } from "../gateway.ts";
import { openCourier } from "../queue/delivery.ts";
import { openRequestQueue } from "../queue/queue.ts";
import { gatewayRoutes } from "../routes.ts";
import { readGatewaySettings } from "../settings.ts";

/** Opens a server's queue on a database file, with the gateway and without HTTP. */
export async function openQueueOn(file: string, env: Env, providerUrl: string) {
	const store = await openSqlite(file);
	const log = openLogger("silent");
	const gateway = openGateway({
		...{ store, env, log, dataDir: "/nowhere" },
		settings: readGatewaySettings({
			OPENAI_API_KEY: "sk-fake",
			OPENAI_BASE_URL: providerUrl,
			OLLAMA_BASE_URL: "http://127.0.0.1:9",
		}),
	});
	const courier = openCourier(new Uint8Array(32), true);
	const queue = openRequestQueue({ store, env, gateway, courier, log });
	gatewayRoutes({ gateway, queue, log, shop: { env, store } } as never);
	queue.start();
	return {
		store,
		queue,
		async close() {
			await queue.close();
			await gateway.close();
			await store.close();
		},
	};
}
