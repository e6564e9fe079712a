/** A fact's place among others in the order of their moments; the id tells those of one moment apart. */
export function placeOf(fact: { createdAt: string; id: string }): string {
	return `${fact.createdAt}_${fact.id}`;
}

/** @returns undefined for what is no place */
export function readPlace(place = ""): { at: string; id: string } | undefined {
	// An id may hold anything, also what parts it from the moment.
	const [, at, id] = /^([^_]+)_(.+)$/s.exec(place) ?? [];
	return at && id ? { at, id } : undefined;
}
