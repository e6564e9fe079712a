import { batchMax, pageDefault, pageMax } from "./protocol.ts";

/** Rows of a page. */
export const pageRange: LimitRange = {
	first: 2_500,
	least: pageDefault,
	most: pageMax,
};

/** Of a till with one thread for everything: while it takes a page in, whoever sells waits. */
export const smallPageRange: LimitRange = {
	first: 1_000,
	least: 100,
	most: 1_000,
};

/** Mutations of a batch. */
export const batchRange: LimitRange = {
	first: batchMax,
	least: 1,
	most: batchMax,
};

/** Where so few mutations do not arrive, it is not for their number. */
export const smallBatch = 10;

export interface LimitRange {
	first: number;
	least: number;
	most: number;
}

/** How many at once arrive on a line, found out as TCP finds out what a line bears (RFC 5681). */
export interface AdaptiveLimit {
	readonly count: number;
	/** After some that arrived, with more to come: twice as many, until some were lost; then a tenth more. */
	grow(): void;
	/** After `lost` that did not arrive: half as many. */
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
