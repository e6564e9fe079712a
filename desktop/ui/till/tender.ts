import { toDecimal, toMicros } from "../../../sync/entities/money.ts";

/** A sum to as many digits as its currency is shown with. */
export function asShown(sum: number, digits: number): number {
	const unit = 10 ** (6 - digits);
	return toDecimal(Math.round(toMicros(sum) / unit) * unit);
}

/** What is written down as paid: whoever hands over the total as it is shown has paid all of it. */
export function paidFor(
	total: number,
	tendered: number,
	digits: number,
): number {
	return asShown(tendered, digits) === asShown(total, digits)
		? total
		: tendered;
}
