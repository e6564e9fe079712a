import type { Logger } from "pino";
import type { ProofKeyOf } from "../sync/log/proof.ts";
import { isStorageError } from "../sync/protocol/errors.ts";
import { systemEnv } from "../sync/protocol/ids.ts";
import { openShop, type SyncServer } from "../sync/shop.ts";
import type { Store } from "../sync/store/store.ts";
import { notifyOf } from "./notifications/notices.ts";

/** Opens a shop that belongs to this machine alone, without a server. */
export function openOwnShop(
	store: Store,
	log: Logger,
	proofKeyOf?: ProofKeyOf,
): SyncServer {
	return openShop({
		store,
		proofKeyOf,
		// A failed notification must not block the sale.
		onNotice: (tx, businessId, notice) =>
			tx
				.savepoint(() => notifyOf(tx, systemEnv, businessId, notice))
				.catch((err) => {
					if (isStorageError(err)) throw err;
					log.error({ err }, "Failed to create a notification");
				}),
		onFault: (err) => log.error({ err }),
	});
}
