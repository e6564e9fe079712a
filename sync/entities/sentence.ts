const shownMax = 5;

/** @example listOf(["1 x Tea", "2 x Milk"]) === "1 x Tea, 2 x Milk" */
export function listOf(parts: readonly string[]): string {
	const shown = parts.slice(0, shownMax).join(", ");
	const more = parts.length - shownMax;
	return more > 0 ? `${shown} and ${more} more` : shown;
}

/** @example fieldsOf({ name: "Tea" }) === 'name = "Tea"' */
export function fieldsOf(set: object): string {
	return listOf(
		Object.entries(set).map(
			([field, value]) => `${field} = ${JSON.stringify(value)}`,
		),
	);
}
