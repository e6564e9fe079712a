import type { Logger } from "pino";
import type { ProofKeyOf } from "../sync/log/proof.ts";
import { isStorageError } from "../sync/protocol/errors.ts";
import { systemEnv } from "../sync/protocol/ids.ts";
import { openShop, type SyncServer } from "../sync/shop.ts";
import type { Store } from "../sync/store/store.ts";
import { notifyLowStock } from "./notifications/low-stock.ts";

/** A shop that is this machine's own, and not a server's. */
export function openOwnShop(
	store: Store,
	log: Logger,
	proofKeyOf?: ProofKeyOf,
): SyncServer {
	return openShop({
		store,
		proofKeyOf,
		// A sale is not held up by what could not be told about it.
		onLowStock: (tx, businessId, product) =>
			tx
				.savepoint(() => notifyLowStock(tx, systemEnv, businessId, product))
				.catch((err) => {
					if (isStorageError(err)) throw err;
					log.error({ err }, "Low stock could not be told");
				}),
		onFault: (err) => log.error({ err }),
	});
}
