import { category } from "./entities/category.ts";
import { type FeedPage, readChanges, readFeed, readHead } from "./feed.ts";
import { type Change, type Cursor, pageDefault, pageMax } from "./protocol.ts";
import type { Connection } from "./store/store.ts";

const bytesMax = 16_000_000;
const businessesMax = 16;
/** Further behind than this, the tail begins anew at the head. */
const behindMax = 2_000;

/**
 * The newest rows of each business's feed, as they were last read: two hundred tills that follow each other's sales cost
 * one reading of each row and not two hundred. What it answers is what `readFeed` would: where it can't know, it asks it.
 */
export interface FeedTail {
	read(
		tx: Connection,
		businessId: string,
		epoch: string,
		cursor: Cursor | undefined,
		limit?: number,
	): Promise<FeedPage>;
}

interface Tail {
	epoch: string;
	/** Every row with a version beyond `base`, up to `head`, is here, in order of version. */
	base: number;
	head: number;
	/** Null where the row has changed again, and stands further behind. */
	changes: (Change | null)[];
	versions: number[];
	/** Where each row stands, counted from the first that was ever here. */
	placeByRow: Map<string, number>;
	dropped: number;
	bytes: number;
}

export function openFeedTail(maxBytes = bytesMax): FeedTail {
	const tails = new Map<string, Tail>();

	/** @returns the tail, brought to this transaction's head; undefined where another's is further already */
	async function follow(
		tx: Connection,
		businessId: string,
		epoch: string,
		head: number,
	): Promise<Tail | undefined> {
		for (;;) {
			const tail = tails.get(businessId);
			const isBehind = tail !== undefined && head - tail.head > behindMax;
			if (!tail || tail.epoch !== epoch || isBehind) {
				begin(businessId, epoch, head);
				continue;
			}
			if (tail.head > head) return undefined;
			if (tail.head === head) return tail;
			const from = tail.head;
			const news = await readChanges(tx, businessId, from, head);
			// Another transaction may have brought it on meanwhile.
			if (tails.get(businessId) !== tail || tail.head !== from) continue;
			// A category's name stands in its products, whose own versions stay.
			if (news.some(({ entity }) => entity === category.name))
				begin(businessId, epoch, head);
			else append(tail, news, head, maxBytes);
		}
	}

	function begin(businessId: string, epoch: string, head: number): void {
		tails.delete(businessId);
		const [oldest] = tails.keys();
		if (tails.size >= businessesMax && oldest !== undefined)
			tails.delete(oldest);
		tails.set(businessId, {
			epoch,
			base: head,
			head,
			changes: [],
			versions: [],
			placeByRow: new Map(),
			dropped: 0,
			bytes: 0,
		});
	}

	return {
		async read(tx, businessId, epoch, cursor, limit = pageDefault) {
			const head = await readHead(tx, businessId);
			const mayBeHere =
				cursor?.epoch === epoch &&
				cursor.version <= head &&
				cursor.version >= (tails.get(businessId)?.base ?? head);
			const tail = mayBeHere
				? await follow(tx, businessId, epoch, head)
				: undefined;
			return tail && cursor && cursor.version >= tail.base
				? pageOf(tail, cursor.version, limit)
				: readFeed(tx, businessId, epoch, cursor, limit);
		},
	};
}

function append(
	tail: Tail,
	news: readonly Change[],
	head: number,
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
	if (tail.bytes > maxBytes) dropHalf(tail);
}

function remove(tail: Tail, at: number): void {
	const change = tail.changes[at];
	if (!change) return;
	tail.changes[at] = null;
	tail.bytes -= encodeChange(change).length;
}

/** Forgets the older half, whole versions of it. */
function dropHalf(tail: Tail): void {
	const { changes, versions, placeByRow } = tail;
	let end = Math.ceil(versions.length / 2);
	while (end < versions.length && versions[end] === versions[end - 1]) end += 1;
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

function pageOf(tail: Tail, after: number, limit: number): FeedPage {
	const { epoch, head, changes, versions } = tail;
	const rows = Math.min(Math.max(limit, 1), pageMax);
	const page: Change[] = [];
	let upTo = head;
	for (let i = firstAfter(versions, after); i < changes.length; i += 1) {
		const change = changes[i];
		if (!change) continue;
		if (page.length >= rows) {
			const { version } = change;
			const beyond = page.findLastIndex((row) => row.version < version);
			// One version may be longer than a page, and is not split.
			if (beyond < 0) {
				page.push(change);
				continue;
			}
			page.length = beyond + 1;
			upTo = page[beyond]?.version as number;
			break;
		}
		page.push(change);
	}
	return {
		changes: page,
		cursor: { epoch, version: upTo },
		hasMore: upTo < head,
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

const texts = new WeakMap<Change, string>();

/** A change as JSON: made once, however many tills it goes to. */
export function encodeChange(change: Change): string {
	let text = texts.get(change);
	if (text === undefined) {
		text = JSON.stringify(change);
		texts.set(change, text);
	}
	return text;
}
