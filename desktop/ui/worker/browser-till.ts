import { smallPageRange } from "../../../sync/protocol/adaptive-limit.ts";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import type { StorageStatus } from "../../../sync/protocol/till-api.ts";
import { fetchTransport } from "../../../sync/replica/fetch.ts";
import { openReplica, type Replica } from "../../../sync/replica/replica.ts";
import { startSyncLoop } from "../../../sync/replica/sync-loop.ts";
import type { Store } from "../../../sync/store/store.ts";
import { openTill, type Till } from "../../../sync/till/till.ts";
import { openMembers } from "./members.ts";
import type { OpenTill } from "./tabs.ts";

/** Whoever looks at a till waits no longer than this for it to look for its server. */
const longestMs = 30_000;

/** A till in a browser, open. */
export interface BrowserTill
	extends Omit<OpenTill, "remove">,
		Pick<Till, "tell"> {
	readonly replica: Replica;
}

/** The shop in a store of this browser's, in step with the server that the page came from. */
export async function openBrowserTill(
	store: Store,
	businessId: string,
	{
		keeping,
		onTried,
	}: {
		keeping: StorageStatus;
		/** Told of the end of each attempt to sync, and why it failed, where it did. */
		onTried(failure: unknown): void;
	},
): Promise<BrowserTill> {
	const transport = fetchTransport({
		baseUrl: location.origin,
		businessId,
		// The browser shows the cookie of whoever is signed in.
		token: () => undefined,
	});
	const replica = await openReplica({
		store,
		businessId,
		transport,
		pages: smallPageRange,
		rowsPerWrite: smallPageRange.most,
		onFault: console.error,
	});
	let failure: unknown;
	const syncLoop = startSyncLoop(replica, transport, {
		env: systemEnv,
		longestMs,
		onError(error) {
			failure = error;
			console.debug("The till did not sync", error);
		},
		onTried() {
			onTried(failure);
			failure = undefined;
			void members.keep().catch(console.error);
			till.tell("standing");
		},
	});
	const till = openTill(replica, businessId, { replica, syncLoop, keeping });
	const members = openMembers(store, systemEnv);
	return {
		...till,
		replica,
		as(member) {
			members.meet(member);
			return till.as(member);
		},
		async close() {
			await syncLoop.stop();
			await store.close();
		},
	};
}
