import { addDays } from "../protocol/clock.ts";
import type { DaySums } from "./tallies.ts";

/** How many of the same weekday before a day make its usual figures, those without a sale left out. */
const weekdaysMax = 8;
const weekdaysMin = 4;

/** The days before a day among which its usual figures are looked for. */
export const usualDays = 7 * weekdaysMax;

/**
 * Returns the last eight same weekdays before a day on which the shop sold, the newest first; none if there are fewer
 * than four.
 *
 * @param sold tells whether the shop sold on a day
 */
export function sameWeekdays(
	day: string,
	sold: (day: string) => boolean,
): string[] {
	const days = Array.from({ length: weekdaysMax }, (_, i) =>
		addDays(day, -7 * (i + 1)),
	).filter(sold);
	return days.length >= weekdaysMin ? days : [];
}

/** Adds up the sums of each day. */
export function sumByDay(
	sums: readonly DaySums[],
	field: "sales" | "revenue",
): Map<string, number> {
	const byDay = new Map<string, number>();
	for (const one of sums)
		byDay.set(one.day, (byDay.get(one.day) ?? 0) + Number(one[field]));
	return byDay;
}

/** The median of integers, rounded to an integer. There must be one at least. */
export function medianOf(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const half = Math.floor(sorted.length / 2);
	const upper = sorted[half] as number;
	if (sorted.length % 2 === 1) return upper;
	return Math.round(((sorted[half - 1] as number) + upper) / 2);
}
