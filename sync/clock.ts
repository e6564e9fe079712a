const formatsByZone = new Map<string, Intl.DateTimeFormat>();

/** ISO 8601 in UTC with milliseconds. */
export function toIso(ms: number): string {
	return new Date(ms).toISOString();
}

/**
 * The shop's day of a moment: the local calendar day, where hours before `cutOffHour` belong to the day before.
 *
 * @example businessDay("2026-03-08T02:30:00.000Z", "America/New_York", 0) === "2026-03-07"
 */
export function businessDay(
	at: string,
	timeZone: string,
	cutOffHour: number,
): string {
	const parts = localParts(new Date(at), timeZone);
	// Not Date.UTC, which takes the years up to 99 for those of the last century.
	const day = new Date(0);
	day.setUTCFullYear(
		parts.year,
		parts.month - 1,
		parts.hour < cutOffHour ? parts.day - 1 : parts.day,
	);
	return day.toISOString().slice(0, 10);
}

/** @example addDays("2026-03-01", -1) === "2026-02-28" */
export function addDays(day: string, days: number): string {
	const date = new Date(`${day}T00:00:00.000Z`);
	date.setUTCDate(date.getUTCDate() + days);
	return date.toISOString().slice(0, 10);
}

/** The hour of a moment on the shop's own clock, 0 to 23. */
export function localHour(at: string, timeZone: string): number {
	return localParts(new Date(at), timeZone).hour;
}

function localParts(date: Date, timeZone: string) {
	let format = formatsByZone.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat("en", {
			timeZone,
			hourCycle: "h23",
			year: "numeric",
			month: "numeric",
			day: "numeric",
			hour: "numeric",
		});
		formatsByZone.set(timeZone, format);
	}
	const values: Record<string, number> = {};
	for (const { type, value } of format.formatToParts(date))
		values[type] = Number(value);
	const { year = 0, month = 0, day = 0, hour = 0 } = values;
	return { year, month, day, hour };
}
