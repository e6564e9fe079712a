/** Making a format takes longer than a sale's other work on the page. */
const formatsByZone = new Map<string, Intl.DateTimeFormat>();
const timesByZone = new Map<string, Intl.DateTimeFormat>();

/** Formats milliseconds since 1970 as ISO 8601 in UTC with milliseconds. */
export function toIso(ms: number): string {
	return new Date(ms).toISOString();
}

/**
 * Returns the business day of a moment: its local calendar day, or the day before if the hour is earlier than
 * `cutOffHour`.
 *
 * @example businessDay("2026-03-08T02:30:00.000Z", "America/New_York", 0) === "2026-03-07"
 */
export function businessDay(
	at: string,
	timeZone: string,
	cutOffHour: number,
): string {
	const parts = localParts(new Date(at), timeZone);
	// Date.UTC maps the years 0 to 99 to 1900 to 1999.
	const day = new Date(0);
	day.setUTCFullYear(
		parts.year,
		parts.month - 1,
		parts.hour < cutOffHour ? parts.day - 1 : parts.day,
	);
	return day.toISOString().slice(0, 10);
}

/**
 * Returns the moment when the clocks of a zone show a time; the first of two, where they are put back.
 *
 * @example momentOf("2026-11-20T12:00:00", "Africa/Nairobi") === "2026-11-20T09:00:00.000Z"
 */
export function momentOf(local: string, timeZone: string): string {
	const ms = Date.parse(`${local}Z`);
	// On the day when the clocks change, one of two offsets is right.
	const before = ms - aheadOf(ms - dayMs, timeZone);
	const isBefore = aheadOf(before, timeZone) === ms - before;
	return toIso(isBefore ? before : ms - aheadOf(ms + dayMs, timeZone));
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function aheadOf(ms: number, timeZone: string): number {
	const minute = Math.floor(ms / 60_000) * 60_000;
	const {
		year,
		month,
		day,
		hour,
		minute: m,
	} = localParts(new Date(minute), timeZone);
	return Date.UTC(year, month - 1, day, hour, m) - minute;
}

/** @example addDays("2026-03-01", -1) === "2026-02-28" */
export function addDays(day: string, days: number): string {
	const date = new Date(`${day}T00:00:00.000Z`);
	date.setUTCDate(date.getUTCDate() + days);
	return date.toISOString().slice(0, 10);
}

const dayMs = 24 * 3_600_000;

/** Returns the days from 1970-01-01 to a day, as the database counts them. */
export function dayNumber(day: string): number {
	return Date.parse(day) / dayMs;
}

/** The reverse of `dayNumber`. */
export function dayOf(number: number): string {
	return toIso(number * dayMs).slice(0, 10);
}

/** @example quarterOf("2026-11-20T08:59:12.000Z") === "2026-11-20T08:45" */
export function quarterOf(at: string): string {
	const minutes = Math.floor(Number(at.slice(14, 16)) / 15) * 15;
	return at.slice(0, 14) + String(minutes).padStart(2, "0");
}

/** Returns a function from quarter hours in UTC (`2026-11-20T08:45`) to the local hour, 0 to 23. */
export function localHours(timeZone: string): (quarter: string) => number {
	const minuteOf = localMinutes(timeZone);
	return (quarter) => Math.floor(minuteOf(quarter) / 60);
}

/**
 * Returns a function from quarter hours in UTC to the minute of the local day, 0 to 1,439. Intl is slow, so it looks up
 * the zone's offset twice a day, and for each quarter only on days when the offset changes.
 */
export function localMinutes(timeZone: string): (quarter: string) => number {
	const minutesByDay = new Map<string, number | undefined>();

	function minutesAhead(quarter: string): number {
		const { hour, minute } = localParts(new Date(`${quarter}Z`), timeZone);
		return hour * 60 + minute - minutesOf(quarter);
	}

	function ofDay(day: string): number | undefined {
		const start = minutesAhead(`${day}T00:00`);
		const end = minutesAhead(`${day}T23:45`);
		return (end - start) % dayMinutes === 0 ? start : undefined;
	}

	return (quarter) => {
		const day = quarter.slice(0, 10);
		if (!minutesByDay.has(day)) minutesByDay.set(day, ofDay(day));
		const ahead = minutesByDay.get(day) ?? minutesAhead(quarter);
		return (minutesOf(quarter) + ahead + dayMinutes) % dayMinutes;
	};
}

/** Returns a function that formats moments in local time, as in `2026-11-20 12:00`. */
export function localTimes(timeZone: string): (at: string) => string {
	let format = timesByZone.get(timeZone);
	// The Swedish locale formats dates and times like ISO 8601.
	format ??= new Intl.DateTimeFormat("sv-SE", {
		timeZone,
		dateStyle: "short",
		timeStyle: "short",
	});
	timesByZone.set(timeZone, format);
	return (at) => format.format(new Date(at));
}

/** The minutes of a day on which no clock is changed. */
export const dayMinutes = 24 * 60;

function minutesOf(quarter: string): number {
	return Number(quarter.slice(11, 13)) * 60 + Number(quarter.slice(14, 16));
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
			minute: "numeric",
		});
		formatsByZone.set(timeZone, format);
	}
	const values: Record<string, number> = {};
	for (const { type, value } of format.formatToParts(date))
		values[type] = Number(value);
	return values as Record<"year" | "month" | "day" | "hour" | "minute", number>;
}
