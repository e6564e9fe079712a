/*
 * The number of an article, its GTIN, is printed in several forms: the EAN of 13 digits, the UPC of 12 that leaves out its first
 * zero, the EAN of 8, the 14 digits of a carton, and the UPC-E of 8 digits that leaves out zeros in the middle. All end in a
 * check digit.
 */
const gtin = /^(\d{8}|\d{12,14})$/;
const longest = 14;

/** Computes the last digit of a GTIN. @param digits the others */
export function checkDigitOf(digits: string): string {
	const sum = [...digits].reduceRight(
		(total, digit, i) =>
			total + Number(digit) * ((digits.length - i) % 2 === 0 ? 1 : 3),
		0,
	);
	return String((10 - (sum % 10)) % 10);
}

const isRight = (code: string) =>
	checkDigitOf(code.slice(0, -1)) === code.at(-1);

/** Whether a code has the length of a GTIN, and another check digit. A shop's own code may. */
export function hasWrongCheckDigit(code: string): boolean {
	if (!gtin.test(code) || isRight(code)) return false;
	const upc = expand(code);
	return upc === undefined || !isRight(upc);
}

/** Whether a scanner misread a code. One of 8 digits is not judged: many shops number their goods by as many. */
export function isMisread(code: string): boolean {
	return code.length > 8 && hasWrongCheckDigit(code);
}

/**
 * Returns what a code is looked up by in the indexes of codes, the likeliest first: the normal form of the code, and that of its
 * longer or shorter form if it is a UPC.
 */
export function codeKeys(code: string): string[] {
	const given = code.trim();
	// SQLite's lower() leaves other alphabets as they are, PostgreSQL's does not.
	if (!gtin.test(given)) {
		const ascii = given.replace(/[A-Z]+/g, (part) => part.toLowerCase());
		return [...new Set([ascii, given.toLowerCase()])];
	}
	const whole = given.padStart(longest, "0");
	const upc = given.length === 8 ? expand(given) : whole.slice(2);
	if (!upc || !whole.startsWith("00") || !isRight(upc)) return [whole];
	const other = given.length === 8 ? upc : shorten(upc);
	return other ? [whole, other.padStart(longest, "0")] : [whole];
}

/** The normal form of the code in a column as SQL, just as the indexes in schema.sql have it. */
export const keyOf = (column: string) =>
	`CASE WHEN length(${column}) IN (8, 12, 13, 14) AND ltrim(${column}, '0123456789') = '' THEN substr('00000000000000' || ${column}, length(${column}) + 1) ELSE lower(${column}) END`;

/** Returns the UPC of 12 digits of a UPC-E, or undefined for another code. */
function expand(code: string): string | undefined {
	const [, system, kept, last, check] =
		/^([01])(\d{5})(\d)(\d)$/.exec(code) ?? [];
	if (!system || !kept || !last || !check) return undefined;
	const at = Math.max(2, Math.min(Number(last), 5));
	const zeros = at === 2 ? `${last}0000` : at === 5 ? `0000${last}` : "00000";
	return `${system}${kept.slice(0, at)}${zeros}${kept.slice(at)}${check}`;
}

/** Returns the UPC-E of a UPC of 12 digits, or undefined if it has none. */
function shorten(upc: string): string | undefined {
	const [system, digits, check] = [upc[0], upc.slice(1, -1), upc.at(-1)];
	return [
		`${digits.slice(0, 2)}${digits.slice(7)}${digits[2]}`,
		`${digits.slice(0, 3)}${digits.slice(8)}3`,
		`${digits.slice(0, 4)}${digits.slice(9)}4`,
		`${digits.slice(0, 5)}${digits.slice(9)}`,
	]
		.map((kept) => `${system}${kept}${check}`)
		.find((short) => expand(short) === upc);
}
