/**
 * Whether what the shop recorded under an id is what is asked now. A retry after a lost answer gets what was recorded the
 * first time, and a person may have changed the form since.
 *
 * @param recorded may have more, such as the day; null is as good as nothing
 */
export function isRecorded(asked: unknown, recorded: unknown): boolean {
	if (asked === undefined) return true;
	if (typeof asked !== "object" || asked === null)
		return asked === (recorded ?? null);
	if (typeof recorded !== "object" || recorded === null) return false;
	const more = recorded as Record<string, unknown>;
	return (
		(!Array.isArray(asked) || asked.length === (recorded as []).length) &&
		Object.entries(asked).every(([key, value]) => isRecorded(value, more[key]))
	);
}
