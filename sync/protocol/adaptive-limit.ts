import { batchMax, pageDefault, pageMax } from "./protocol.ts";

/** Rows per page. */
export const pageRange: LimitRange = {
	first: 2_500,
	least: pageDefault,
	most: pageMax,
};

/** Rows per page for a till with a single thread: storing a page blocks the cashier. */
export const smallPageRange: LimitRange = {
	first: 1_000,
	least: 100,
	most: 1_000,
};

/** Mutations per batch. */
export const batchRange: LimitRange = {
	first: batchMax,
	least: 1,
	most: batchMax,
};

/** If batches this small still fail, their size is not the cause. */
export const smallBatch = 10;

export interface LimitRange {
	first: number;
	least: number;
	most: number;
}

/** How many items to send at once, found by probing the connection as TCP congestion control does (RFC 5681). */
export interface AdaptiveLimit {
	readonly count: number;
	/** Call after a success with more to send: doubles the count, or adds a tenth once anything was lost. */
	grow(): void;
	/** Call after losing `lost` items: continues with half as many. */
	shrink(lost: number): void;
}

export function openAdaptiveLimit({
	first,
	least,
	most,
}: LimitRange): AdaptiveLimit {
	let count = first;
	let hasLost = false;
	return {
		get count() {
			return count;
		},
		grow() {
			count = Math.min(hasLost ? Math.ceil(count * 1.1) : count * 2, most);
		},
		shrink(lost) {
			hasLost = true;
			count = Math.max(Math.floor(lost / 2), least);
		},
	};
}
