/**
 * Reads a `Retry-After` header: seconds or a date (RFC 9110, section 10.2.3). A date is taken by the clock that it was
 * written by, as a till's own may be wrong.
 *
 * @returns milliseconds; undefined for a time that has passed, and for nonsense
 */
export function readRetryAfter(
	header: (name: string) => string | null | undefined,
): number | undefined {
	const value = header("retry-after");
	if (value && /^\d+$/.test(value)) return Number(value) * 1_000;
	const waitMs = parseHttpDate(value) - parseHttpDate(header("date"));
	return waitMs > 0 ? waitMs : undefined;
}

/** @returns NaN for anything else: `Date.parse` alone takes "-5" for a day in May */
function parseHttpDate(value: string | null | undefined): number {
	const at = new Date(value ?? "");
	return at.toUTCString() === value ? at.getTime() : Number.NaN;
}
