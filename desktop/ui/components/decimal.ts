import { groupsByComma } from "../words/index.ts";

/**
 * The number in a number field, which reports text such as "1.50" as a string. Undefined while there is no number.
 */
export function decimalOf(typed: number | string): number | undefined {
	if (typeof typed === "string" && typed.trim() === "") return undefined;
	const value = Number(
		typeof typed === "string" ? ungrouped(typed).replace(",", ".") : typed,
	);
	return Number.isFinite(value) ? value : undefined;
}

/**
 * Leaves out of a typed text what can't be part of a decimal of at most six places. A comma is a decimal point, unless it
 * groups thousands: where that is usual it stays until the digits after it say which, so that a typed "1,5" is one and a
 * half and "1,500" becomes "1500" at once.
 */
export function cleanDecimal(typed: string): string {
	const text = ungrouped(typed).replace(/[^\d.,]/g, "");
	const at = text.search(/[.,]/);
	if (at < 0) return text;
	const mark = groupsByComma() ? text[at] : ".";
	const places = text.slice(at).replace(/\D/g, "").slice(0, 6);
	return `${text.slice(0, at)}${mark}${places}`;
}

/** Like `cleanDecimal`, for a number that may be negative. */
export function cleanSigned(typed: string): string {
	const sign = /^\s*[-\u2212]/.test(typed) ? "-" : "";
	return sign + cleanDecimal(typed);
}

/** Leaves out commas that group thousands. No thousands follow a zero: "0,500" is a half. */
function ungrouped(typed: string): string {
	if (!typed.includes(",") || !groupsByComma()) return typed;
	return typed.replace(/,(?=\d{3}(?:\D|$))/g, (comma, at: number) =>
		/^\D*[1-9][\d,]*$/.test(typed.slice(0, at)) ? "" : comma,
	);
}
