import { type Change, pageMax } from "../protocol/protocol.ts";
import { encodeChange } from "./change-json.ts";
import { endOfRows, type FeedPage } from "./feed.ts";

/** The newest rows of one business's feed, in order of version. */
export class RecentChanges {
	readonly epoch: string;
	/** Every row with a version after this one, up to `head`, is here. */
	base: number;
	head: number;
	/** The proof of the head. If the business has another one there, this history was lost. */
	proof: string;
	/** Null if the row has changed again: its newest state is further back in the list. */
	#changes: (Change | null)[] = [];
	#versions: number[] = [];
	/** The index of each row, counted from the first row ever held. */
	readonly #placeByRow = new Map<string, number>();
	#dropped = 0;
	#bytes = 0;

	constructor(epoch: string, head: number, proof: string) {
		this.epoch = epoch;
		this.base = head;
		this.head = head;
		this.proof = proof;
	}

	/**
	 * Adds the rows up to a newer head.
	 *
	 * @param maxBytes drops the older half if the rows take more
	 */
	append(
		changes: readonly Change[],
		head: number,
		proof: string,
		maxBytes: number,
	): void {
		for (const change of changes) {
			const key = `${change.entity} ${change.id}`;
			const place = this.#placeByRow.get(key);
			if (place !== undefined) this.#remove(place - this.#dropped);
			this.#placeByRow.set(key, this.#dropped + this.#changes.length);
			this.#changes.push(change);
			this.#versions.push(change.version);
			this.#bytes += encodeChange(change).length;
		}
		this.head = head;
		this.proof = proof;
		if (this.#bytes > maxBytes) this.#dropHalf();
	}

	/**
	 * Returns the page after a version that is not before `base`, equal to the one that `readFeed` would read, and the
	 * version where it ends.
	 */
	pageAfter(
		after: number,
		limit: number,
	): Omit<FeedPage, "cursor"> & { upTo: number } {
		const { head } = this;
		const changes = this.#changes;
		const rows = Math.min(Math.max(limit, 1), pageMax);
		const following: Change[] = [];
		const first = firstAfter(this.#versions, after);
		for (let i = first; i < changes.length; i += 1) {
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
			upTo: upTo ?? head,
			hasMore: upTo !== undefined && upTo < head,
		};
	}

	#remove(at: number): void {
		const change = this.#changes[at];
		if (!change) return;
		this.#changes[at] = null;
		this.#bytes -= encodeChange(change).length;
	}

	#dropHalf(): void {
		const end = Math.ceil(this.#versions.length / 2);
		for (let i = 0; i < end; i += 1) {
			const change = this.#changes[i];
			if (!change) continue;
			this.#placeByRow.delete(`${change.entity} ${change.id}`);
			this.#remove(i);
		}
		this.base = this.#versions[end - 1] as number;
		this.#changes = this.#changes.slice(end);
		this.#versions = this.#versions.slice(end);
		this.#dropped += end;
	}
}

/** The index of the first greater number in an ascending list, or its length if there is none. */
export function firstAfter(sorted: readonly number[], value: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] as number) <= value) low = middle + 1;
		else high = middle;
	}
	return low;
}
