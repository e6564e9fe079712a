import type { Store } from "../../sync/store/store.ts";
import { payerOf } from "../gateway/access.ts";
import type { Payer } from "../gateway/meter.ts";
import { apiKeys } from "./api-keys.ts";

/** How long this process may not notice what another one changed, such as a key that it revoked. */
const rememberedMs = 1_000;
const rememberedMax = 1_000;

/** Finds who pays for a key's calls, with a cache of one second: the same key makes many calls. */
export interface KeyPayers {
	/** @returns undefined for an unknown or revoked key */
	find(token: string): Promise<Payer | undefined>;
	/** Call it after a business's keys, limits or access to AI changed. */
	forget(businessId: string): void;
}

export function openKeyPayers(store: Store): KeyPayers {
	const found = new Map<string, { payer: Payer; at: number }>();
	/** What was read before a change is as old when it arrives after it. */
	let changes = 0;
	return {
		async find(token) {
			const remembered = found.get(token);
			if (remembered && performance.now() - remembered.at < rememberedMs)
				return remembered.payer;
			found.delete(token);
			const before = changes;
			const payer = await store.read(async (tx) => {
				const key = await apiKeys(tx).find(token);
				return key && payerOf(tx, { businessId: key.businessId, key });
			});
			if (found.size >= rememberedMax) found.clear();
			if (payer && changes === before)
				found.set(token, { payer, at: performance.now() });
			return payer;
		},

		forget(businessId) {
			changes += 1;
			for (const [token, { payer }] of found)
				if (payer.businessId === businessId) found.delete(token);
		},
	};
}
