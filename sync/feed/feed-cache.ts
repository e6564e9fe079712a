import { category } from "../entities/category.ts";
import {
	type Head,
	isOwnCursor,
	proofAt,
	readChainHead,
} from "../log/chain.ts";
import {
	type Change,
	type Cursor,
	pageDefault,
	pageMax,
} from "../protocol/protocol.ts";
import type { Connection } from "../store/store.ts";
import {
	type CompressedRows,
	compressRows,
	type MaybeCompressed,
} from "./compressed-rows.ts";
import { endOfRows, type FeedPage, readChanges, readFeed } from "./feed.ts";

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
/** A page that was read so many versions ago is read again. */
const pageAgeMax = 100_000;
/** Fewer rows are read as soon as they are found. */
const keptRowsMin = 200;
const businessesMax = 16;
/** Further behind than this, the tail begins anew at the head. */
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

interface Tail {
	epoch: string;
	/** Every row with a version beyond `base`, up to `head`, is here, in order of version. */
	base: number;
	head: number;
	/** Of the head. One that the business no longer has there is a lost history's. */
	proof: string;
	/** Null where the row has changed again, and stands further behind. */
	changes: (Change | null)[];
	versions: number[];
	/** Where each row stands, counted from the first that was ever here. */
	placeByRow: Map<string, number>;
	dropped: number;
	bytes: number;
}

export function openFeedCache({
	tailBytes,
	pagesBytes,
}: FeedCacheSize = usualMemory): FeedCache {
	const tails = new Map<string, Tail>();
	const pages = openPages(pagesBytes);

	/** @returns the tail, brought to this transaction's head; undefined where another's is further already */
	async function follow(
		tx: Connection,
		businessId: string,
		epoch: string,
		head: Head,
	): Promise<Tail | undefined> {
		const proof = await proofAt(tx, businessId, head.version, head);
		for (;;) {
			const tail = tails.get(businessId);
			if (tail?.epoch !== epoch || head.version - tail.head > behindMax)
				return begin(businessId, epoch, head.version, proof);
			const from = tail.head;
			if (from > head.version) return undefined;
			const isOwn = (await proofAt(tx, businessId, from, head)) === tail.proof;
			const news =
				isOwn && from < head.version
					? await readChanges(tx, businessId, from, head.version)
					: [];
			// Another transaction may have brought it on meanwhile.
			if (tail.head !== from) continue;
			// A category's name stands in its products, whose own versions stay.
			if (!isOwn || news.some(({ entity }) => entity === category.name))
				return begin(businessId, epoch, head.version, proof);
			append(tail, news, head.version, proof, tailBytes);
			return tail;
		}
	}

	function begin(
		businessId: string,
		epoch: string,
		head: number,
		proof: string,
	): Tail {
		tails.delete(businessId);
		const [oldest] = tails.keys();
		if (tails.size >= businessesMax && oldest !== undefined)
			tails.delete(oldest);
		const tail: Tail = {
			epoch,
			base: head,
			head,
			proof,
			changes: [],
			versions: [],
			placeByRow: new Map(),
			dropped: 0,
			bytes: 0,
		};
		tails.set(businessId, tail);
		return tail;
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
			cursor.version >= (tails.get(businessId)?.base ?? Infinity),

		async read(tx, businessId, epoch, cursor, limit = pageDefault) {
			const head = await readChainHead(tx, businessId);
			const isOwn =
				cursor !== undefined &&
				(await isOwnCursor(tx, businessId, epoch, head, cursor));
			if (!isOwn) return readFeed(tx, businessId, epoch, undefined, limit);
			const mayBeHere =
				cursor.version >= (tails.get(businessId)?.base ?? head.version);
			const tail = mayBeHere
				? await follow(tx, businessId, epoch, head)
				: undefined;
			if (!tail || cursor.version < tail.base)
				return readOlder(tx, businessId, epoch, cursor, limit, head);
			const page = pageOf(tail, cursor.version, limit);
			const { version } = page.cursor;
			const proof = await proofAt(tx, businessId, version, head);
			return { ...page, cursor: { epoch, version, proof } };
		},
	};
}

type CompressedPage = Omit<FeedPage, "changes"> & {
	compressed: CompressedRows;
};

/** Pages by what was asked for, those that were used last, up to a size. */
function openPages(maxBytes: number) {
	const kept = new Map<
		string,
		{ page: CompressedPage; head: number; proof: string }
	>();
	let bytes = 0;

	function drop(key: string): void {
		bytes -= kept.get(key)?.page.compressed.deflated.length ?? 0;
		kept.delete(key);
	}

	return {
		async find(
			tx: Connection,
			businessId: string,
			key: string,
			head: Head,
		): Promise<CompressedPage | undefined> {
			const found = kept.get(key);
			if (!found) return undefined;
			kept.delete(key);
			kept.set(key, found);
			// A transaction that began before the page was read must not see what came after it.
			const age = head.version - found.head;
			if (age < 0 || age > pageAgeMax) return undefined;
			// It may be of a history that the database has lost.
			const proof = await proofAt(tx, businessId, found.head, head);
			if (proof !== found.proof) return undefined;
			// What was all of it then may no longer be.
			const { page } = found;
			return { ...page, hasMore: page.cursor.version < head.version };
		},
		keep(key: string, page: CompressedPage, head: number, proof: string): void {
			drop(key);
			kept.set(key, { page, head, proof });
			bytes += page.compressed.deflated.length;
			for (const oldest of kept.keys()) {
				if (bytes <= maxBytes) break;
				drop(oldest);
			}
		},
	};
}

function append(
	tail: Tail,
	news: readonly Change[],
	head: number,
	proof: string,
	maxBytes: number,
): void {
	const { changes, versions, placeByRow } = tail;
	for (const change of news) {
		const key = `${change.entity} ${change.id}`;
		const place = placeByRow.get(key);
		if (place !== undefined) remove(tail, place - tail.dropped);
		placeByRow.set(key, tail.dropped + changes.length);
		changes.push(change);
		versions.push(change.version);
		tail.bytes += encodeChange(change).length;
	}
	tail.head = head;
	tail.proof = proof;
	if (tail.bytes > maxBytes) dropHalf(tail);
}

function remove(tail: Tail, at: number): void {
	const change = tail.changes[at];
	if (!change) return;
	tail.changes[at] = null;
	tail.bytes -= encodeChange(change).length;
}

/** Forgets the older half. */
function dropHalf(tail: Tail): void {
	const { changes, versions, placeByRow } = tail;
	const end = Math.ceil(versions.length / 2);
	for (let i = 0; i < end; i += 1) {
		const change = changes[i];
		if (!change) continue;
		placeByRow.delete(`${change.entity} ${change.id}`);
		remove(tail, i);
	}
	tail.base = versions[end - 1] as number;
	tail.changes = changes.slice(end);
	tail.versions = versions.slice(end);
	tail.dropped += end;
}

/** Its cursor has no proof yet. */
function pageOf(tail: Tail, after: number, limit: number): FeedPage {
	const { epoch, head, changes, versions } = tail;
	const rows = Math.min(Math.max(limit, 1), pageMax);
	const following: Change[] = [];
	for (let i = firstAfter(versions, after); i < changes.length; i += 1) {
		const change = changes[i];
		if (!change) continue;
		following.push(change);
		if (change.version > (following[rows]?.version ?? head)) break;
	}
	const upTo = endOfRows(
		following.map(({ version }) => version),
		rows,
	);
	return {
		changes: following.filter(({ version }) => version <= (upTo ?? head)),
		cursor: { epoch, version: upTo ?? head, proof: "" },
		hasMore: upTo !== undefined && upTo < head,
	};
}

/** The place of the first that is greater, in numbers that do not fall. */
function firstAfter(sorted: readonly number[], value: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] as number) <= value) low = middle + 1;
		else high = middle;
	}
	return low;
}

const texts = new WeakMap<object, string>();

/** Rows of a page as JSON: each row is encoded once, however many tills it goes to. */
export function encodeChanges(changes: readonly Change[]): string {
	return `[${changes.map(encodeChange).join(",")}]`;
}

function encodeChange(change: Change): string {
	let text = texts.get(change);
	if (text === undefined) {
		text = JSON.stringify(change);
		texts.set(change, text);
	}
	return text;
}
