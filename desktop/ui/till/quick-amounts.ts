/** The amounts that a customer is likely to hand over: the exact total, then the next round sums in notes. */
export function quickAmounts(total: number): number[] {
	const steps = [1, 5, 10, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];
	const amounts = new Set([total]);
	for (const step of steps) {
		const rounded = Math.ceil(total / step) * step;
		if (rounded <= total * 5 || step <= 1_000) amounts.add(rounded);
	}
	return [...amounts].sort((a, b) => a - b).slice(0, 6);
}
