import {
	dayMinutes,
	localMinutes,
	quarterOf,
	toIso,
} from "../protocol/clock.ts";
import { businessGet } from "./business.ts";
import type { QueryContext } from "./query.ts";

/** Tells how far into a business day a moment is, on any day and by the shop's clocks. */
export interface DayClock {
	/** The minutes from the cut-off hour to a quarter hour in UTC, `2026-11-20T08:45`. */
	minuteOf(quarter: string): number;
	/** The same of the present. */
	nowMinute: number;
	/** The local hour of a quarter hour in UTC. */
	hourOf(quarter: string): number;
	/** The local hour at which a business day begins. */
	cutOffHour: number;
}

export async function readDayClock(context: QueryContext): Promise<DayClock> {
	const { timeZone, cutOffHour } = await businessGet.run(context, {});
	const localMinute = localMinutes(timeZone);
	const minuteOf = (quarter: string) =>
		(localMinute(quarter) - 60 * cutOffHour + dayMinutes) % dayMinutes;
	return {
		minuteOf,
		nowMinute: minuteOf(quarterOf(toIso(context.now))),
		hourOf: (quarter) => Math.floor(localMinute(quarter) / 60),
		cutOffHour,
	};
}
