/** Luck that falls alike each time (a linear congruential generator; its low bits are not used). */
export function openDice(seed: number) {
	let state = seed >>> 0;

	/** From 0 up to, and without, 1. */
	function share(): number {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	}

	return {
		share,
		/** A whole number from 0 up to, and without, `limit`. */
		below: (limit: number): number => Math.floor(share() * limit),
		/** An index, each as likely as its weight. */
		weighted(weights: readonly number[]): number {
			let left = share() * weights.reduce((sum, weight) => sum + weight, 0);
			for (const [i, weight] of weights.entries()) {
				left -= weight;
				if (left < 0) return i;
			}
			return weights.length - 1;
		},
	};
}
