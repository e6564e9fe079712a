/* Without zod, because pages import it. */

/** The cash of a currency. Amounts are decimals. */
interface Cash {
	/** The notes and coins that customers hand over, the largest first. */
	pieces: readonly number[];
	/** What a cash total is rounded to, unless the shop sets another unit. */
	unit: number;
}

/** Coins that are legal tender but rarely change hands are left out, such as Rwanda's 1 franc. */
const cashByCurrency: Readonly<Record<string, Cash>> = {
	KES: { pieces: [1_000, 500, 200, 100, 50, 20, 10, 5, 1], unit: 1 },
	TZS: { pieces: [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50], unit: 50 },
	UGX: {
		pieces: [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50],
		unit: 50,
	},
	RWF: { pieces: [5_000, 2_000, 1_000, 500, 100, 50, 20, 10, 5], unit: 5 },
	ETB: { pieces: [200, 100, 50, 10, 5, 1, 0.5, 0.25, 0.1, 0.05], unit: 0.05 },
	USD: { pieces: [100, 50, 20, 10, 5, 1, 0.25, 0.1, 0.05, 0.01], unit: 0.01 },
	EUR: {
		pieces: [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
		unit: 0.01,
	},
	GBP: {
		pieces: [50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
		unit: 0.01,
	},
	ZAR: { pieces: [200, 100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1], unit: 0.1 },
	NGN: { pieces: [1_000, 500, 200, 100, 50, 20, 10, 5], unit: 5 },
	INR: { pieces: [500, 200, 100, 50, 20, 10, 5, 2, 1], unit: 1 },
};

/**
 * Returns the cash of a currency. An unlisted currency gets pieces of 1, 2 and 5 at each power of ten, from its smallest
 * unit to 10,000 of them.
 */
export function cashOf(currency: string): Cash {
	return cashByCurrency[currency] ?? usualCash(digitsOf(currency));
}

function digitsOf(currency: string): number {
	const format = new Intl.NumberFormat("en", { style: "currency", currency });
	return format.resolvedOptions().maximumFractionDigits ?? 0;
}

function usualCash(digits: number): Cash {
	const smallest = 10 ** digits;
	const pieces = [10_000];
	for (let power = 1_000; power >= 1; power /= 10)
		pieces.push(5 * power, 2 * power, power);
	return {
		pieces: pieces.map((piece) => piece / smallest),
		unit: 1 / smallest,
	};
}

/**
 * Rounds a total to the nearest multiple of a cash unit, half away from zero, so that a negative total mirrors its
 * positive one. Both are in millionths.
 *
 * @example roundCash(1_030_000_000, 50_000_000) === 1_050_000_000
 */
export function roundCash(totalMicros: number, unitMicros: number): number {
	const size = Math.abs(totalMicros);
	const rest = size % unitMicros;
	const rounded = size - rest + (rest * 2 >= unitMicros ? unitMicros : 0);
	return totalMicros < 0 ? -rounded || 0 : rounded;
}
