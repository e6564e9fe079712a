import { day } from "../entities/fields.ts";
import { addDays } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import type { DayRange } from "./facts.ts";

/** Business days, both inclusive. */
export const periodDays = { from: day, to: day };

export interface Period {
	from: string;
	to: string;
}

/**
 * The longest period whose facts a report reads line by line, found by the index of days. The tallies alone answer
 * longer ones.
 */
export const factDaysMax = 92;

/** The longest period that a report answers: three years. */
export const periodDaysMax = 1_100;

/** @throws ShopError `invalid_args` */
export function assertPeriod(period: Period, daysMax: number): void {
	// The earliest day leaves room for the period before.
	if (period.from < "1900-01-01")
		throw new ShopError("invalid_args", "from must not be before 1900", "from");
	if (period.to < period.from)
		throw new ShopError("invalid_args", "to must not be before from", "to");
	if (lengthOf(period) > daysMax)
		throw new ShopError(
			"invalid_args",
			`A period has at most ${daysMax} days`,
			"to",
		);
}

/** Counts a period's days. */
export function lengthOf({ from, to }: Period): number {
	return 1 + (Date.parse(to) - Date.parse(from)) / (24 * 3_600_000);
}

/** The period of the same length that ends the day before. */
export function periodBefore(period: Period): Period {
	return {
		from: addDays(period.from, -lengthOf(period)),
		to: addDays(period.from, -1),
	};
}

export function rangeOf({ from, to }: Period): DayRange {
	return { after: addDays(from, -1), upTo: to };
}

/** Lists a period's days. */
export function daysOf(period: Period): string[] {
	return Array.from({ length: lengthOf(period) }, (_, i) =>
		addDays(period.from, i),
	);
}
