/** One unit in millionths, the integers that store money and quantities. */
export const unitMicros = 1_000_000;

/** The largest amount or quantity of one field. Nine of them fit in a safe integer. */
export const amountMax = 1_000_000_000;

/** The largest sum that a row keeps, in millionths. The decimal of the next one is read back as one that is no longer exact. */
export const sumMax = Number.MAX_SAFE_INTEGER - 1;

/**
 * Converts a decimal number to millionths, exact for up to six decimals. Further decimals round half away from zero.
 *
 * @example toMicros(2.55) === 2_550_000
 */
export function toMicros(value: number): number {
	// Below 2^27 a double is close enough to its decimal that rounding gives the decimal's millionths.
	if (Math.abs(value) < 134_217_728)
		return Math.sign(value) * Math.round(Math.abs(value) * unitMicros) || 0;
	const [whole = "0", fraction = ""] = Math.abs(value).toFixed(6).split(".");
	return Math.sign(value) * Number(whole + fraction);
}

/** @example toDecimal(2_550_000) === 2.55 */
export function toDecimal(micros: number): number {
	return micros / unitMicros;
}

/**
 * Adds two decimals exactly.
 *
 * @example plus(0.1, 0.2) === 0.3
 */
export function plus(a: number, b: number): number {
	return toDecimal(toMicros(a) + toMicros(b));
}

/**
 * Sums `price x quantity` in millionths. The sum is exact; if price and quantity together have more than six decimals,
 * it is rounded once at its end, half away from zero.
 */
export function sumOfProducts(
	lines: readonly { price: number; quantity: number }[],
): number {
	let sum = 0;
	for (const { price, quantity } of lines) {
		const next = sum + price * quantity;
		if (!Number.isSafeInteger(next)) return sumOfLargeProducts(lines);
		sum = next;
	}
	return roundedDivision(BigInt(sum));
}

function sumOfLargeProducts(
	lines: readonly { price: number; quantity: number }[],
): number {
	let sum = 0n;
	for (const { price, quantity } of lines)
		sum += BigInt(price) * BigInt(quantity);
	return roundedDivision(sum);
}

function roundedDivision(value: bigint): number {
	const unit = BigInt(unitMicros);
	const half = unit / 2n;
	return Number((value < 0n ? value - half : value + half) / unit);
}
