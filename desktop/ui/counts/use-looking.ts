import { useRef, useState } from "react";
import { localValues } from "../stored-values.ts";

/** The product that somebody counts now in this browser. */
export interface Looking {
	lookId: string;
	productId: string;
	name: string;
	typed: string;
	/** How many the first scan stands for. */
	first: number;
}

/**
 * Keeps what is being counted, with what was typed, over a reload: the look is made already, and nobody counts twice.
 *
 * @returns how to read it, current at any moment, and how to change it
 */
export function useLooking(
	countId: string,
): [() => Looking | undefined, (next: Looking | undefined) => void] {
	const key = `looking ${countId}`;
	const [, render] = useState(0);
	const looking = useRef<Looking | null | undefined>(undefined);
	if (looking.current === undefined)
		looking.current = JSON.parse(localValues.read(key) ?? "null");
	return [
		() => looking.current ?? undefined,
		(next) => {
			looking.current = next ?? null;
			if (next) localValues.write(key, JSON.stringify(next));
			else localValues.remove(key);
			render((n) => n + 1);
		},
	];
}
