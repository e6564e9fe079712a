import { addDays } from "../../../sync/protocol/clock.ts";

/** Business days, both inclusive. */
export interface Days {
	from: string;
	to: string;
}

/** The most days that are matched at once. */
const daysMax = 92;

/** The days on which a page opens: the last thirty. */
export function lastDays(today: string): Days {
	return { from: addDays(today, -29), to: today };
}

/** Moves the other end with a chosen day, so that the days are always ones that can be asked for. */
export function chooseDay(days: Days, chosen: Partial<Days>): Days {
	const { from, to } = { ...days, ...chosen };
	const earliest = addDays(to, 1 - daysMax);
	if (chosen.to !== undefined)
		return { from: from > to ? to : from < earliest ? earliest : from, to };
	const latest = addDays(from, daysMax - 1);
	return { from, to: to < from ? from : to > latest ? latest : to };
}
