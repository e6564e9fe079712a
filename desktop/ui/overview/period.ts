import { addDays } from "../../../sync/protocol/clock.ts";

export const presets = [
	"today",
	"yesterday",
	"week",
	"month",
	"last30",
] as const;
export type Preset = (typeof presets)[number];

/** Business days, both inclusive. */
export interface Period {
	from: string;
	to: string;
}

/** The days of a preset; a week begins on Monday. */
export function periodOf(preset: Preset, today: string): Period {
	switch (preset) {
		case "today":
			return { from: today, to: today };
		case "yesterday": {
			const yesterday = addDays(today, -1);
			return { from: yesterday, to: yesterday };
		}
		case "week": {
			const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
			return { from: addDays(today, -((weekday + 6) % 7)), to: today };
		}
		case "month":
			return { from: `${today.slice(0, 8)}01`, to: today };
		case "last30":
			return { from: addDays(today, -29), to: today };
	}
}

/** The longest period whose lines a report reads. */
const factDaysMax = 92;
/** The longest period that a report answers. */
const periodDaysMax = 1_100;

function lengthOf({ from, to }: Period): number {
	return 1 + (Date.parse(to) - Date.parse(from)) / (24 * 3_600_000);
}

/** Why days are no period that a report answers. */
export function problemOf(
	period: Period,
): "period.empty" | "period.order" | "period.long" | undefined {
	if (period.from < "1900" || period.to === "") return "period.empty";
	if (period.to < period.from) return "period.order";
	if (lengthOf(period) > periodDaysMax) return "period.long";
	return undefined;
}

/** True if a report lists the products of the period. */
export const hasGoods = (period: Period) => lengthOf(period) <= factDaysMax;

/** What a chart's bars are of. */
export function barsOf(period: Period): "hour" | "day" | "month" {
	if (period.from === period.to) return "hour";
	return lengthOf(period) <= factDaysMax ? "day" : "month";
}

/** The days of a bar: those of an hour are its day. */
export function daysOfBar(
	key: string,
	by: "hour" | "day" | "month",
	period: Period,
): Period {
	if (by === "hour") return period;
	if (by === "day") return { from: key, to: key };
	const first = `${key}-01`;
	const next = addDays(`${addDays(first, 31).slice(0, 8)}01`, -1);
	return {
		from: first < period.from ? period.from : first,
		to: next > period.to ? period.to : next,
	};
}
