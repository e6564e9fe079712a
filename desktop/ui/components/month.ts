import { addDays } from "../../../sync/protocol/clock.ts";

/** The same day of another month, or that month's last day. */
export function addMonths(day: string, months: number): string {
	const first = new Date(`${day.slice(0, 8)}01T00:00:00Z`);
	first.setUTCMonth(first.getUTCMonth() + months + 1, 0);
	const last = first.toISOString().slice(0, 10);
	const same = `${last.slice(0, 8)}${day.slice(8)}`;
	return same < last ? same : last;
}

/** A day's month in weeks that begin on Monday; undefined where a week has a day of another month. */
export function weeksOf(day: string): (string | undefined)[][] {
	const first = `${day.slice(0, 8)}01`;
	const start = addDays(first, -weekdayOf(first));
	const weeks: (string | undefined)[][] = [];
	for (let week = start; week < addMonths(first, 1); week = addDays(week, 7))
		weeks.push(
			Array.from({ length: 7 }, (_, i) => addDays(week, i)).map((one) =>
				one.startsWith(day.slice(0, 8)) ? one : undefined,
			),
		);
	return weeks;
}

/** 0 for Monday. */
function weekdayOf(day: string): number {
	return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The day that a key leads to in a calendar; undefined for another key. */
export function dayAfterKey(key: string, day: string): string | undefined {
	switch (key) {
		case "ArrowLeft":
			return addDays(day, -1);
		case "ArrowRight":
			return addDays(day, 1);
		case "ArrowUp":
			return addDays(day, -7);
		case "ArrowDown":
			return addDays(day, 7);
		case "Home":
			return addDays(day, -weekdayOf(day));
		case "End":
			return addDays(day, 6 - weekdayOf(day));
		case "PageUp":
			return addMonths(day, -1);
		case "PageDown":
			return addMonths(day, 1);
		default:
			return undefined;
	}
}
