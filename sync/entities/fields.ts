import * as z from "zod";
import { amountMax, toDecimal, toMicros, unitMicros } from "./money.ts";

/** Longest id; a UUID has 36 characters. */
const idMax = 64;

/** No NUL and no half of a surrogate pair: a database would store something else than was sent. */
function isStorable(value: string): boolean {
	return value.isWellFormed() && !value.includes("\0");
}

/** Text of at most `max` characters, kept verbatim. */
export function text(max: number) {
	return z
		.string()
		.max(max)
		.refine(isStorable, "Text must be well-formed Unicode without NUL");
}

/** Text that says something. */
export function requiredText(max: number) {
	return text(max).refine((value) => value.trim() !== "", "Must not be empty");
}

export const recordId = requiredText(idMax);

/** A moment: ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** A calendar day of the shop, `2026-11-20`. */
export const day = z.iso.date();

export const currency = z
	.string()
	.regex(/^[A-Z]{3}$/, "Must be a three-letter currency code such as KES");

export const timeZone = z
	.string()
	.max(64)
	.refine(isTimeZone, "Must be a time zone such as Africa/Nairobi");

function isTimeZone(value: string): boolean {
	try {
		new Intl.DateTimeFormat("en", { timeZone: value });
		return true;
	} catch {
		return false;
	}
}

/** The name as it is searched and sorted, in every alphabet. */
export function searchable(value: string): string {
	// A sigma that ends a word is a sign of its own, and only part of it may be searched.
	return value.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
}

/** JSON number on the wire, whole millionths inside. */
function decimal(min: number, max: number) {
	return z.codec(z.number().min(min).max(max), z.int(), {
		decode: toMicros,
		encode: toDecimal,
	});
}

/** Money that can't be negative: a price, a cost, an amount tendered. */
export const amount = decimal(0, amountMax);
/** A quantity of goods sold or refunded. */
export const quantity = decimal(0, amountMax);
/** A level or a change of stock, which may be negative. */
export const signedQuantity = decimal(-amountMax, amountMax);
/** Anything that was computed from the above, as a row holds it. */
export const computed = decimal(
	Number.MIN_SAFE_INTEGER / unitMicros,
	Number.MAX_SAFE_INTEGER / unitMicros,
);
