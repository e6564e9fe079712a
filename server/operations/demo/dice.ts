/** A seeded random generator (linear congruential; its weak low bits are not used). */
export function openDice(seed: number) {
	let state = seed >>> 0;

	/** @returns a number in [0, 1) */
	function share(): number {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	}

	return {
		share,
		/** @returns an integer in [0, limit) */
		below: (limit: number): number => Math.floor(share() * limit),
		/** @returns an index with a probability proportional to its weight */
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
