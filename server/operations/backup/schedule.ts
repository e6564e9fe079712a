const hourMs = 3_600_000;

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
	for (let back = 0; back < 24; back += 1) {
		const begun = new Date(now - back * hourMs);
		begun.setMinutes(0, 0, 0);
		if (hours.includes(begun.getHours())) return begun.getTime() > lastAt;
	}
	return false;
}
