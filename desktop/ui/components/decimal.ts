/**
 * The number in a number field, which reports text such as "1.50" as a string. Undefined while there is no number.
 */
export function decimalOf(typed: number | string): number | undefined {
	if (typeof typed === "string" && typed.trim() === "") return undefined;
	const value = Number(typed);
	return Number.isFinite(value) ? value : undefined;
}
