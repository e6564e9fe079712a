import { useRef, useState } from "react";
import type { CartLine } from "./cart.ts";

/** The open line, which the keys change: the one that was added or changed last, until another is tapped. */
export function useOpenLine(lines: readonly CartLine[]) {
	const [chosen, setChosen] = useState<string>();
	const before = useRef(lines);
	if (before.current !== lines) {
		const last = lastChanged(before.current, lines);
		before.current = lines;
		if (last !== undefined && last !== chosen) setChosen(last);
	}
	return [chosen, setChosen] as const;
}

/** The id of the last line that is new or has another quantity than before. After a reload all lines are new. */
export function lastChanged(
	before: readonly CartLine[],
	now: readonly CartLine[],
): string | undefined {
	const known = new Map(before.map((line) => [line.id, line]));
	return now.findLast(
		({ id, quantity }) => known.get(id)?.quantity !== quantity,
	)?.id;
}
