import type { Caller } from "../../log/log.ts";
import type { Transport } from "../../replica/transport.ts";
import type { SyncServer } from "../../shop.ts";

/** The files of a server's and a till's database. */
export const files = { server: "server.db", till: "till.db" };

export const caller: Caller = {
	businessId: "shop-1",
	userId: "user-1",
	role: "OWNER",
	deviceId: null,
};

/** A transport that calls the server directly. */
export function transportTo(shop: SyncServer): Transport {
	return {
		push: (request) => shop.push(caller, JSON.parse(request)),
		pull: (cursor, limit) => shop.pull(caller, { cursor, limit }),
		watch: async () => {},
		isReachable: async () => true,
	};
}
