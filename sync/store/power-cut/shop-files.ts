import type { Caller } from "../../log/log.ts";
import type { Transport } from "../../replica/transport.ts";
import type { SyncServer } from "../../shop.ts";

/** A server's database and a till's, side by side. */
export const files = { server: "server.db", till: "till.db" };

export const caller: Caller = {
	businessId: "shop-1",
	userId: "user-1",
	role: "OWNER",
	deviceId: null,
};

/** The shortest way from a till to its server. */
export function transportTo(shop: SyncServer): Transport {
	return {
		push: (request) => shop.push(caller, JSON.parse(request)),
		pull: (cursor, limit) => shop.pull(caller, { cursor, limit }),
		watch: async () => {},
		isReachable: async () => true,
	};
}
