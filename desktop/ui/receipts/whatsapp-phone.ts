/** The most digits of a number without its country's code, by currency: what is longer has the code. */
const ownDigitsMax: Record<string, number> = { NGN: 10 };
const usualMax = 9;

/**
 * A phone number with the 0 before it that people leave out: without it, `722 000 111` would be a number of another country,
 * whose owner would get the receipt.
 */
export function withLeadingZero(
	phone: string | null | undefined,
	currency: string,
): string {
	const digits = phone?.replace(/\D/g, "") ?? "";
	const isOwn = digits.length <= (ownDigitsMax[currency] ?? usualMax);
	const isBare = /^[^\d+]*[1-9]/.test(phone ?? "");
	return isOwn && isBare ? `0${digits}` : (phone ?? "");
}
