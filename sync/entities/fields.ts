import * as z from "zod";
import { amountMax, toDecimal, toMicros, unitMicros } from "./money.ts";

/** Maximum length of an id; a UUID has 36 characters. */
const idMax = 64;

/** Databases do not store NUL and lone surrogates unchanged. */
export function isStorable(value: string): boolean {
	return value.isWellFormed() && !value.includes("\0");
}

/** A text of at most `max` characters, stored verbatim. */
export function text(max: number) {
	return z
		.string()
		.max(max)
		.refine(isStorable, "Text must be well-formed Unicode without NUL");
}

/** A text that is not blank. */
export function requiredText(max: number) {
	return text(max).refine((value) => value.trim() !== "", "Must not be empty");
}

export const recordId = requiredText(idMax);

/** A moment: ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** A calendar day of the business, `2026-11-20`. */
export const day = z.iso.date();

export const currency = z
	.string()
	.regex(/^[A-Z]{3}$/, "Must be a three-letter currency code such as KES");

/** A language code such as `sw`, or `pt-BR`. */
export const language = z
	.string()
	.max(35)
	.regex(
		/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
		"Must be a language code such as en or sw",
	);

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

/** A JSON number on the wire, an integer in millionths inside. */
function decimal(min: number, max: number) {
	return z.codec(z.number().min(min).max(max), z.int(), {
		decode: toMicros,
		encode: toDecimal,
	});
}

/** Money that can't be negative, such as a price, a cost or an amount tendered. */
export const amount = decimal(0, amountMax);
/** Money that is more than nothing, such as a coin. */
export const positiveAmount = decimal(1 / unitMicros, amountMax);
/** A quantity of goods sold or refunded. */
export const quantity = decimal(0, amountMax);
/** A stock level or a change of stock, which may be negative. */
export const signedQuantity = decimal(-amountMax, amountMax);
/** What a cash payment is rounded by: no currency's smallest coin comes near the bound. */
export const roundingAmount = decimal(-999_999.999999, 999_999.999999);
/** A rate of tax or a discount, in percent. */
export const percent = decimal(0, 100);
/** A sum of any number of facts: exact as long as a number can be, and close to it beyond. */
export const sumOfFacts = z.codec(z.number(), z.number(), {
	decode: toMicros,
	encode: toDecimal,
});
/** A value computed from the above, as stored in a row. */
export const computed = decimal(
	Number.MIN_SAFE_INTEGER / unitMicros,
	Number.MAX_SAFE_INTEGER / unitMicros,
);
