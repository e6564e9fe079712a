import { toDecimal, toMicros } from "../../../sync/entities/money.ts";

/** Rounds an amount to the digits that its currency is displayed with. */
export function asShown(sum: number, digits: number): number {
	const unit = 10 ** (6 - digits);
	return toDecimal(Math.round(toMicros(sum) / unit) * unit);
}

/** The amount to record as paid: the displayed total pays the exact one. */
export function paidFor(
	total: number,
	tendered: number,
	digits: number,
): number {
	return asShown(tendered, digits) === asShown(total, digits)
		? total
		: tendered;
}
