import { smallPageRange } from "../../../sync/protocol/adaptive-limit.ts";
import { systemEnv } from "../../../sync/protocol/ids.ts";
import type { StorageStatus } from "../../../sync/protocol/till-api.ts";
import { productFind } from "../../../sync/queries/product-search.ts";
import { openReplica, type Replica } from "../../../sync/replica/replica.ts";
import { startSyncLoop } from "../../../sync/replica/sync-loop.ts";
import type { HttpTransport } from "../../../sync/replica/transport.ts";
import type { Store } from "../../../sync/store/store.ts";
import { openTill, type Till } from "../../../sync/till/till.ts";
import type { Journal } from "./journal.ts";
import { openMembers, readStaff } from "./members.ts";
import { openPace } from "./pace.ts";
import type { OpenTill } from "./tabs.ts";

/** The build puts it in its place. */
declare const __PROGRAM_VERSION__: string;

/** Storing rows blocks the worker, and so a sale, for some 20 ms in Chromium and 40 in Firefox. Fewer rows take longer in all. */
const rowsPerWrite = 150;

/** The next sale may follow at once, and storing the server's answer would keep it waiting. */
const hasteRestMs = 250;

/** The longest wait between sync attempts, since someone may be at the till. */
const longestMs = 30_000;

/** An open till in a browser. */
export interface BrowserTill
	extends Omit<OpenTill, "remove">,
		Pick<Till, "tell"> {
	readonly replica: Replica;
}

/** What a till is opened with, wherever its shop is. */
export interface Opening {
	transport: HttpTransport;
	/** The days of sales that it keeps. Undefined for all. */
	windowDays: number | undefined;
	/** Resolves when it may begin to sync. */
	mayBegin: Promise<void>;
	/** @returns undefined if the browser has no storage for one */
	openJournal(): Promise<Journal | undefined>;
}

/** Opens the shop in a store of this browser, and syncs it with the page's server. */
export async function openBrowserTill(
	store: Store,
	businessId: string,
	{
		keeping,
		transport,
		windowDays,
		mayBegin,
		onTried,
	}: Opening & {
		keeping: StorageStatus;
		/** Called after each sync attempt, with its error if it failed. */
		onTried(failure: unknown): void;
	},
): Promise<BrowserTill> {
	const pace = openPace();
	const replica = await openReplica({
		store,
		businessId,
		transport,
		program: __PROGRAM_VERSION__,
		windowDays,
		pages: smallPageRange,
		rowsPerWrite,
		pace,
		onFault: console.error,
		onDifference: (difference) =>
			console.warn("Rows differed from the server's", difference),
	});
	let failure: unknown;
	const syncLoop = startSyncLoop(replica, transport, {
		env: systemEnv,
		...{ hasteRestMs, longestMs, after: mayBegin },
		onError(error) {
			failure = error;
			console.debug("The till didn't sync", error);
		},
		onTried() {
			onTried(failure);
			failure = undefined;
			void members.keep().catch(console.error);
			till.tell("standing");
		},
	});
	const till = openTill(replica, businessId, {
		...{ replica, syncLoop, keeping },
		readStaff: () => readStaff(businessId),
	});
	const members = openMembers(store, systemEnv);
	return {
		...till,
		replica,
		as(member) {
			members.meet(member);
			const calls = till.as(member);
			return {
				...calls,
				ask(name, args) {
					// Who searches types on; other questions a page may ask by itself.
					if (name === productFind.name) pace.use();
					return calls.ask(name, args);
				},
				mutate(call) {
					pace.use();
					return calls.mutate(call);
				},
				keepCart(...args) {
					pace.use();
					return calls.keepCart(...args);
				},
			};
		},
		async close() {
			pace.stop();
			await syncLoop.stop();
			await store.close();
		},
	};
}
