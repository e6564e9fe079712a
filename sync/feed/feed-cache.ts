import {
	cursorUpTo,
	type Head,
	isOwnCursor,
	proofAt,
	readChainHead,
} from "../log/chain.ts";
import { type Cursor, pageDefault } from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import { compressRows, type MaybeCompressed } from "./compressed-rows.ts";
import { type FeedPage, readChanges, readFeed } from "./feed.ts";
import { PageCache } from "./page-cache.ts";
import { RecentChanges } from "./recent-changes.ts";

/** Memory limits in bytes: for a business's newest rows, and for all cached pages. */
export interface FeedCacheSize {
	tailBytes: number;
	pagesBytes: number;
}
const usualMemory: FeedCacheSize = {
	// The sales of two hundred tills in half a minute.
	tailBytes: 4_000_000,
	pagesBytes: 48_000_000,
};
/** A shorter page is not cached, because reading it is cheap. */
const keptRowsMin = 200;
const businessesMax = 16;
/** Newest rows that are further behind the head are dropped, and collected from there on. */
const behindMax = 2_000;

/**
 * Caches the newest rows of each business's feed, so that two hundred tills that follow each other's sales cost one
 * read of each row. Its answers equal those of `readFeed`, which it calls for anything that it does not hold.
 */
export interface FeedCache {
	/** True for a cursor that is answered from memory, or almost. */
	isNear(businessId: string, cursor: Cursor | undefined): boolean;
	read(
		tx: Connection,
		businessId: string,
		epoch: string,
		cursor: Cursor | undefined,
		limit?: number,
	): Promise<MaybeCompressed<FeedPage>>;
}

export function openFeedCache({
	tailBytes,
	pagesBytes,
}: FeedCacheSize = usualMemory): FeedCache {
	const recentByBusiness = new Map<string, RecentChanges>();
	const pages = new PageCache(pagesBytes);

	/** @returns the newest rows up to this transaction's head, or undefined if they already go beyond it */
	async function follow(
		tx: Connection,
		businessId: string,
		epoch: string,
		head: Head,
	): Promise<RecentChanges | undefined> {
		const proof = await proofAt(tx, businessId, head.version, head);
		for (;;) {
			const recent = recentByBusiness.get(businessId);
			if (recent?.epoch !== epoch || head.version - recent.head > behindMax)
				return begin(businessId, epoch, head.version, proof);
			const from = recent.head;
			if (from > head.version) return undefined;
			const isOwn =
				(await proofAt(tx, businessId, from, head)) === recent.proof;
			const news =
				isOwn && from < head.version
					? await readChanges(tx, businessId, from, head.version)
					: [];
			// Another transaction may have extended them during the read.
			if (recent.head !== from) continue;
			if (!isOwn) return begin(businessId, epoch, head.version, proof);
			recent.append(news, head.version, proof, tailBytes);
			return recent;
		}
	}

	function begin(
		businessId: string,
		epoch: string,
		head: number,
		proof: string,
	): RecentChanges {
		recentByBusiness.delete(businessId);
		const [oldest] = recentByBusiness.keys();
		if (recentByBusiness.size >= businessesMax && oldest !== undefined)
			recentByBusiness.delete(oldest);
		const recent = new RecentChanges(epoch, head, proof);
		recentByBusiness.set(businessId, recent);
		return recent;
	}

	/**
	 * Reads a page from the cache or the database. A cached page stays valid, as if it had been longer on its way: later
	 * changes have versions beyond it. Tills that come back together pull the same pages.
	 */
	async function readOlder(
		tx: Connection,
		businessId: string,
		epoch: string,
		cursor: Cursor,
		limit: number,
		head: Head,
	): Promise<MaybeCompressed<FeedPage>> {
		const key = `${businessId} ${epoch} ${cursor.version} ${limit}`;
		const kept = await pages.find(tx, businessId, key, head);
		if (kept) return kept;
		const page = await readFeed(tx, businessId, epoch, cursor, limit);
		if (!page.hasMore && page.changes.length < keptRowsMin) return page;
		const { changes, ...rest } = page;
		const compressed = { ...rest, compressed: compressRows(changes) };
		const proof = await proofAt(tx, businessId, head.version, head);
		pages.keep(key, compressed, head.version, proof);
		return compressed;
	}

	return {
		isNear: (businessId, cursor) =>
			cursor !== undefined &&
			cursor.version >= (recentByBusiness.get(businessId)?.base ?? Infinity),

		async read(tx, businessId, epoch, cursor, limit = pageDefault) {
			const head = await readChainHead(tx, businessId);
			const isOwn =
				cursor !== undefined &&
				(await isOwnCursor(tx, businessId, epoch, head, cursor));
			if (!isOwn) return readFeed(tx, businessId, epoch, undefined, limit);
			const mayBeHere =
				cursor.version >=
				(recentByBusiness.get(businessId)?.base ?? head.version);
			const recent = mayBeHere
				? await follow(tx, businessId, epoch, head)
				: undefined;
			if (!recent || cursor.version < recent.base)
				return readOlder(tx, businessId, epoch, cursor, limit, head);
			const page = recent.pageAfter(cursor.version, limit);
			// In the order that the compact form's templates have.
			return {
				changes: page.changes,
				cursor: cursorUpTo(head, epoch, page.upTo),
				hasMore: page.hasMore,
			};
		},
	};
}
