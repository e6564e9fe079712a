/**
 * The amounts that a customer is likely to hand over: the amount due, then the next sums in each of the currency's notes
 * and coins.
 */
export function quickAmounts(due: number, pieces: readonly number[]): number[] {
	const [largest = 0] = pieces;
	const amounts = new Set([due]);
	for (const piece of pieces) {
		const sum = Math.round(Math.ceil(due / piece - 1e-9) * piece * 1e6) / 1e6;
		// Nobody hands over a large note for a sweet, unless it is the largest that people carry.
		if (sum <= due * 5 || piece * 10 >= largest) amounts.add(sum);
	}
	return [...amounts].sort((a, b) => a - b).slice(0, 6);
}
