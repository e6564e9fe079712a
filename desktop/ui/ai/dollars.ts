/** USD, down to what a single call costs. */
export function formatDollars(amount: number, language: string): string {
	const digits = amount !== 0 && Math.abs(amount) < 1 ? 6 : 2;
	return new Intl.NumberFormat(language, {
		style: "currency",
		currency: "USD",
		currencyDisplay: "code",
		minimumFractionDigits: 2,
		maximumFractionDigits: digits,
	}).format(amount);
}
