import { pageDefault, pageMax } from "./protocol.ts";

const firstRows = 2_500;
const moreRows = 100;

/** How many rows an answer may have so that it arrives, found out as TCP finds out what a line bears (RFC 5681). */
export interface Reach {
	readonly rows: number;
	/** After a page that arrived and is not the last: twice as many, until one was lost; then a little more. */
	grow(): void;
	/** After an answer that did not arrive: half as many. */
	shrink(): void;
}

export function openReach(): Reach {
	let rows = firstRows;
	let hasLost = false;
	return {
		get rows() {
			return rows;
		},
		grow() {
			rows = Math.min(hasLost ? rows + moreRows : rows * 2, pageMax);
		},
		shrink() {
			hasLost = true;
			rows = Math.max(Math.floor(rows / 2), pageDefault);
		},
	};
}
