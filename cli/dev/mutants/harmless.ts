import { ofFeed } from "./harmless/feed.ts";
import { ofLog } from "./harmless/log.ts";
import { ofRows } from "./harmless/rows.ts";
import { ofTill } from "./harmless/till.ts";

/** Mutants that no test can notice, since they change nothing that anybody could see. */
export interface Harmless {
	/** Below `sync/`. */
	file: string;
	/** A part of the mutated line. */
	code: string;
	/** A part of what is replaced by what; absent for all mutants of the line. */
	change?: string;
	reason: string;
}

export const harmless: readonly Harmless[] = [
	...ofFeed,
	...ofLog,
	...ofRows,
	...ofTill,
];
