import { useWords } from "../words/index.ts";

/** Units that have a word in each language. A shop may write any other. */
export const knownUnits = ["kg", "g", "l", "ml", "m"] as const;

/** Returns a function that names a unit. */
export function useUnitName() {
	const { say } = useWords();
	return (unit: string | null | undefined): string => {
		if (!unit) return say("units.piece");
		const known = knownUnits.find((one) => one === unit);
		return known ? say(`units.${known}`) : unit;
	};
}
