import type { AskQuery } from "../queries/ask.ts";
import { openAskOlder } from "./ask-older.ts";
import {
	type Compared,
	type CompareOptions,
	type Comparing,
	openComparison,
} from "./compare.ts";
import { openWindow, type TillWindow, type Windowed } from "./window.ts";

/** What a till does with its server besides syncing. */
export interface Upkeep extends TillWindow {
	/** Compares the till's rows with the server's. Calls that come together are one. */
	compare(options?: CompareOptions): Promise<Compared>;
	/** Answers queries, with the server's help about older sales. */
	ask: AskQuery;
}

export type UpkeepOptions = Comparing &
	Omit<Windowed, "compare"> & {
		/** Answers from the rows here. */
		ask: AskQuery;
	};

export function openUpkeep(options: UpkeepOptions): Upkeep {
	const compareRows = openComparison(options);
	let comparing: Promise<Compared> | undefined;

	function compare(how?: CompareOptions): Promise<Compared> {
		comparing ??= compareRows(how).finally(() => {
			comparing = undefined;
		});
		return comparing;
	}

	const window = openWindow({ ...options, compare });
	const { bring } = window;
	return { compare, ...window, ask: openAskOlder({ ...options, bring }) };
}
