import { category } from "../entities/category.ts";
import {
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

/** How many bytes of a business's newest rows are kept, and how many of all pages. */
export interface FeedCacheSize {
	tailBytes: number;
	pagesBytes: number;
}
const usualMemory: FeedCacheSize = {
	// Half a minute of two hundred tills.
	tailBytes: 4_000_000,
	pagesBytes: 48_000_000,
};
/** Fewer rows are read as soon as they are found. */
const keptRowsMin = 200;
const businessesMax = 16;
/** Further behind than this, the newest rows are collected from the head on. */
const behindMax = 2_000;

/**
 * The newest rows of each business's feed, as they were last read: two hundred tills that follow each other's sales cost
 * one reading of each row and not two hundred. What it answers is what `readFeed` would: where it can't know, it asks it.
 */
export interface FeedCache {
	/** True for a cursor that will be answered from memory, or nearly so. */
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

	/** @returns the newest rows up to this transaction's head; undefined where another transaction has read beyond it */
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
			// Another transaction may have brought it on meanwhile.
			if (recent.head !== from) continue;
			// A category's name stands in its products, whose own versions stay.
			if (!isOwn || news.some(({ entity }) => entity === category.name))
				return begin(businessId, epoch, head.version, proof);
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
	 * A page that others follow is as right a moment later as it was when it was read: as if it had been longer on its way.
	 * What changed since has a version beyond it. Tills that come back together walk over the same pages.
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
			const { version } = page.cursor;
			const proof = await proofAt(tx, businessId, version, head);
			return { ...page, cursor: { epoch, version, proof } };
		},
	};
}
