import { toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { newId } from "../protocol/ids.ts";
import {
	assertSameFeed,
	type Page,
	type PushResponse,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import * as outbox from "./outbox.ts";
import { type Pace, storingRestMs } from "./pace.ts";
import type { FetchedPages, PageFetcher } from "./page-fetcher.ts";
import { type PushOptions, pushOutbox } from "./push-outbox.ts";
import { type RowKey, restartFeed } from "./rebase.ts";
import { setState, takeNewDevice } from "./replica-state.ts";
import { splitPages } from "./split-pages.ts";
import { storePages } from "./store-pages.ts";

/** So many rows are stored before a cashier would notice. */
const fewRows = 50;

/** The parts of a replica that a round of syncing needs. */
interface SyncRound extends Omit<PushOptions, "rows"> {
	fetcher: PageFetcher;
	/** Rows stored per transaction. */
	rowsPerWrite: number;
	pace: Pace;
	/** Asked before more pages are fetched: what the till sells meanwhile goes first. */
	mayGoOn(): boolean;
	onFault(error: unknown): void;
	/** Called once with all rows that the round touched, if it changed anything. */
	notify(rows: readonly RowKey[]): void;
}

/**
 * Pushes pending mutations, then stores new rows. The next pages are fetched while earlier ones are stored.
 *
 * @returns false if the server's history or this device's identity has changed, so that another round is needed
 */
export async function runSyncRound(round: SyncRound): Promise<boolean> {
	const { businessId, env, fetcher } = round;
	/** Storing the rows may take minutes, in which the server takes more. */
	let askedAt = env.now();
	const response = await fetcher.request((rows) =>
		pushOutbox({ ...round, rows }),
	);
	if (response.forked) {
		await restartAsNewDevice(round);
		return false;
	}
	assertSameFeed(response.feed);
	const first = toPage(response);
	let { backedUpTo } = response;
	let isNews = response.results.some(({ status }) => status !== "deferred");
	const touched: RowKey[] = [];
	let isWhole = true;
	let fetching: Promise<FetchedPages> | undefined = Promise.resolve({
		pages: [first],
		last: first,
	});
	async function finish(tx: Connection): Promise<void> {
		await outbox.prune(tx, businessId, backedUpTo, env.now());
		await setState(tx, businessId, "last_sync_at", toIso(askedAt));
		await setState(tx, businessId, "paused", null);
	}
	try {
		while (fetching) {
			const fetched: FetchedPages = await fetching;
			const { pages, last, failure } = fetched;
			backedUpTo = fetched.backedUpTo ?? backedUpTo;
			if (pages.some(({ changes }) => changes.length > 0)) isNews = true;
			const isLast = !failure && !last.hasMore;
			let isStoring = true;
			const storing = storeGroups(
				round,
				pages,
				touched,
				isLast ? finish : undefined,
			).finally(() => {
				isStoring = false;
			});
			const goesOn = !failure && !isLast && round.mayGoOn();
			if (goesOn) askedAt = env.now();
			fetching = goesOn ? fetcher.fetchAfter(last, () => isStoring) : undefined;
			const [stored] = await Promise.allSettled([storing, fetching]);
			if (stored.status === "rejected") throw stored.reason;
			if (stored.value.wasReset) isWhole = false;
			if (failure) throw failure.reason;
		}
		return isWhole;
	} finally {
		// Rows stored before the connection broke are not sent again.
		if (isNews) round.notify(touched);
	}
}

/**
 * Stores pages in groups of few rows, one transaction each.
 *
 * @param finish runs in the last one
 */
async function storeGroups(
	{ store, businessId, rowsPerWrite, pace, onFault }: SyncRound,
	pages: readonly Page[],
	touched: RowKey[],
	finish?: (tx: Connection) => Promise<void>,
): Promise<{ wasReset: boolean }> {
	let wasReset = false;
	const groups = [...splitPages(pages, rowsPerWrite)];
	for (const group of groups) {
		const rows = group.reduce((sum, { changes }) => sum + changes.length, 0);
		if (rows > fewRows) await pace.rest(storingRestMs);
		const stored = await storePages(
			...([store, businessId, group, onFault] as const),
			group === groups.at(-1) ? finish : undefined,
		);
		for (const key of stored.touched) touched.push(key);
		if (stored.wasReset) wasReset = true;
	}
	return { wasReset };
}

/** Continues as a new device and pulls everything again, because this till was restored from an old copy or cloned. */
async function restartAsNewDevice({
	store,
	businessId,
	env,
	onFault,
}: SyncRound): Promise<void> {
	await store.write(async (tx) => {
		await takeNewDevice(tx, businessId, newId(env));
		await restartFeed(tx, businessId, onFault);
	});
}

function toPage({ changes, cursor, hasMore, reset }: PushResponse): Page {
	if (!changes || cursor === undefined || hasMore === undefined)
		throw new ShopError("unreachable", "The server sent no page");
	return { changes, cursor, hasMore, reset };
}
