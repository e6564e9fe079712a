/**
 * The number in a number field, which reports text such as "1.50" as a string. Undefined while there is no number.
 */
export function decimalOf(typed: number | string): number | undefined {
	if (typeof typed === "string" && typed.trim() === "") return undefined;
	const value = Number(typed);
	return Number.isFinite(value) ? value : undefined;
}

/**
 * Leaves out of a typed text what can't be part of a decimal of at most six places. A comma is a decimal point, unless it
 * groups thousands, as in a pasted "1,500".
 */
export function cleanDecimal(typed: string): string {
	const plain = typed.replace(/,(?=\d{3}(?:\D|$))/g, (_comma, at: number) =>
		/\d$/.test(typed.slice(0, at)) ? "" : ",",
	);
	const [whole = "", ...parts] = plain
		.replaceAll(",", ".")
		.replace(/[^\d.]/g, "")
		.split(".");
	if (parts.length === 0) return whole;
	return `${whole}.${parts.join("").slice(0, 6)}`;
}

/** Like `cleanDecimal`, for a number that may be negative. */
export function cleanSigned(typed: string): string {
	const sign = /^\s*[-\u2212]/.test(typed) ? "-" : "";
	return sign + cleanDecimal(typed);
}
