/**
 * The number that a number's field holds: it passes on as text what is not written as a number would be, such as "1.50".
 * Undefined where there is none yet.
 */
export function decimalOf(typed: number | string): number | undefined {
	if (typeof typed === "string" && typed.trim() === "") return undefined;
	const value = Number(typed);
	return Number.isFinite(value) ? value : undefined;
}
