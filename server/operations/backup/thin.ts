const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Of each of the last so many hours, days, weeks and months that have a backup, the newest stays. */
const kept: readonly [count: number, periodOf: (time: number) => number][] = [
	[24, (time) => Math.floor(time / hourMs)],
	[7, (time) => Math.floor(time / dayMs)],
	// The epoch began on a Thursday.
	[4, (time) => Math.floor((time / dayMs + 3) / 7)],
	[12, monthOf],
];

function monthOf(time: number): number {
	const date = new Date(time);
	return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Chooses which backups may go. Only periods with a backup count, so a shop that was closed for a season loses none. Backups
 * from a clock that was ahead are thinned apart: otherwise they would crowd out every later one.
 *
 * @param times when each backup was made
 */
export function thin(times: readonly number[], now: number): number[] {
	const ahead = times.filter((time) => time > now);
	const others = times.filter((time) => time <= now);
	return [...superfluous(ahead), ...superfluous(others)];
}

function superfluous(times: readonly number[]): number[] {
	const newestFirst = times.toSorted((a, b) => b - a);
	const stay = new Set<number>();
	for (const [count, periodOf] of kept) {
		const periods = new Set<number>();
		for (const time of newestFirst) {
			if (periods.size === count) break;
			if (periods.has(periodOf(time))) continue;
			periods.add(periodOf(time));
			stay.add(time);
		}
	}
	return times.filter((time) => !stay.has(time));
}
