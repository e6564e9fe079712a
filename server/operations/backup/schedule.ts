/**
 * Returns true if one of the chosen hours has begun since the last backup, however long ago.
 *
 * @param hours of the day, by the machine's clock
 * @param lastAt undefined if there is no backup
 */
export function isDue(
	hours: readonly number[],
	lastAt: number | undefined,
	now: number,
): boolean {
	if (hours.length === 0) return false;
	if (lastAt === undefined) return true;
	const today = new Date(now);
	const [year, month] = [today.getFullYear(), today.getMonth()];
	const begun = [today.getDate(), today.getDate() - 1].flatMap((date) =>
		// An hour that a change of the clocks skips begins with the next one.
		hours.map((hour) => new Date(year, month, date, hour).getTime()),
	);
	return Math.max(...begun.filter((at) => at <= now)) > lastAt;
}
