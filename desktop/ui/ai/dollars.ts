import { localeOf } from "../words/index.ts";

/** Formats US dollars with enough digits for the cost of one call. */
export function formatDollars(amount: number, language: string): string {
	const digits = amount !== 0 && Math.abs(amount) < 1 ? 6 : 2;
	return new Intl.NumberFormat(localeOf(language), {
		style: "currency",
		currency: "USD",
		currencyDisplay: "code",
		minimumFractionDigits: 2,
		maximumFractionDigits: digits,
	}).format(amount);
}
