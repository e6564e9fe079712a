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
	const problem = problemOf(period, daysMax);
	if (problem)
		throw new ShopError(
			"invalid_args",
			`${problem.field}: ${problem.message}`,
			problem.field,
		);
}

/** Says what is wrong with a period. */
export function problemOf(
	period: Period,
	daysMax: number,
): { message: string; field: keyof Period } | undefined {
	// The earliest day leaves room for the period before.
	if (period.from < "1900-01-01")
		return { message: "must not be before 1900", field: "from" };
	if (period.to < period.from)
		return { message: "must not be before from", field: "to" };
	if (lengthOf(period) > daysMax)
		return {
			message: `the period must have at most ${daysMax} days`,
			field: "to",
		};
	return undefined;
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
