import { useState } from "react";
import { localValues } from "../stored-values.ts";

type Typed = Record<string, string>;

/**
 * What was typed of a count, by note, method or field. It survives a reload: nobody counts a drawer twice because a page was
 * closed.
 *
 * @returns what was typed, how to type, and how to forget it
 */
export function useCountDraft(
	shiftId: string,
): [Typed, (name: string, text: string) => void, () => void] {
	const key = `count ${shiftId}`;
	const [typed, setTyped] = useState<Typed>(() =>
		JSON.parse(localValues.read(key) ?? "{}"),
	);
	return [
		typed,
		(name, text) => {
			const next = { ...typed, [name]: text };
			setTyped(next);
			localValues.write(key, JSON.stringify(next));
		},
		() => localValues.remove(key),
	];
}
