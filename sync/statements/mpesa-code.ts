/** The form that a payment's code is stored and compared in: capital letters and digits. */
export function codeOf(typed: string): string {
	return typed
		.toUpperCase()
		.replaceAll(/[^A-Z0-9]/g, "")
		.slice(0, 40);
}

/** M-PESA's codes have ten letters and digits, and lately eleven; all of them have both. */
export function looksLikeMpesa(code: string): boolean {
	return /^(?=.*[A-Z])(?=.*\d)[A-Z0-9]{8,12}$/.test(code);
}

/** The sign of each number in a code: 1 to 9, then A for 10. */
const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * Reads the day that an M-PESA code begins with: the year, from A for 2006, the month, from A for January, and the date, from
 * 1 to 9 and A for 10. No document of the operator says so; 18 of 21 published codes with their dates do.
 *
 * @example dayOfCode("TIA9B1U5VV") === "2025-09-10"
 */
export function dayOfCode(code: string): string | undefined {
	const [year = 0, month = 0, date = 0] = [...code.slice(0, 3)].map((sign) =>
		signs.indexOf(sign),
	);
	if (year < 10 || month < 10) return undefined;
	const ms = Date.UTC(year + 1996, month - 10, date);
	const day = new Date(ms).toISOString().slice(0, 10);
	const isReal =
		month < 22 && date > 0 && Number(day.slice(8)) === date && date < 32;
	return isReal ? day : undefined;
}

/** Returns the signs with which the codes of a day begin. */
export function signsOfDay(day: string): string {
	const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
	return [year - 1996, month + 9, date].map((i) => signs[i]).join("");
}

/** A code that names an older day belongs to an operator that counts otherwise. */
const readableDays = 366;

/** Returns the day of a code that is days old: the payment may be another one. A midnight between them is none. */
export function oldDayOf(code: string, today: string): string | undefined {
	const day = looksLikeMpesa(code) ? dayOfCode(code) : undefined;
	if (day === undefined) return undefined;
	const age = (Date.parse(today) - Date.parse(day)) / (24 * 3_600_000);
	return age > 1 && age <= readableDays ? day : undefined;
}
