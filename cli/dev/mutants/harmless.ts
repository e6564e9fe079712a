import { ofFeed } from "./harmless/feed.ts";
import { ofLog } from "./harmless/log.ts";
import { ofRows } from "./harmless/rows.ts";
import { ofTill } from "./harmless/till.ts";

/** An equivalent mutant: no test can kill it, because it changes no observable behaviour. */
export interface Harmless {
	/** The file's path below `sync/`. */
	file: string;
	/** Part of the mutated line. */
	code: string;
	/** Part of the change's description; absent for all mutants of the line. */
	change?: string;
	reason: string;
}

export const harmless: readonly Harmless[] = [
	...ofFeed,
	...ofLog,
	...ofRows,
	...ofTill,
];
