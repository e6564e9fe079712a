import { useRef, useState } from "react";
import type { CartLine } from "./cart.ts";

/** The open line, which the keys change: the one that was added or changed last, until another is tapped. */
export function useOpenLine(lines: readonly CartLine[]) {
	const [chosen, setChosen] = useState<string>();
	const before = useRef(lines);
	if (before.current !== lines) {
		const known = new Map(before.current.map((line) => [line.id, line]));
		const changed = lines.filter(
			(line) => known.get(line.id)?.quantity !== line.quantity,
		);
		before.current = lines;
		// After a reload all lines are new.
		const last = changed.at(-1);
		if (last && last.id !== chosen) setChosen(last.id);
	}
	return [chosen, setChosen] as const;
}
