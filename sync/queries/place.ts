import type { Value } from "../store/store.ts";

/** Places in a list that is ordered by some values of its rows, each a text or a number. */
export function placesBy<Row>(
	kinds: readonly ("string" | "number")[],
	keyOf: (row: Row) => Value[],
) {
	return {
		placeOf: (row: Row): string => JSON.stringify(keyOf(row)),

		/** @returns undefined for what is no place */
		read(place: string | undefined): Value[] | undefined {
			const key = parse(place ?? "");
			const isKey =
				Array.isArray(key) &&
				key.length === kinds.length &&
				key.every((value, i) => typeof value === kinds[i]);
			return isKey ? key : undefined;
		},
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** A fact's place by its moment, as addresses have had it ever since; the id tells those of one moment apart. */
export function placeOf(fact: { createdAt: string; id: string }): string {
	return `${fact.createdAt}_${fact.id}`;
}

/** @returns undefined for what is no place */
export function readPlace(place = ""): { at: string; id: string } | undefined {
	// An id may hold anything, also what parts it from the moment.
	const [, at, id] = /^([^_]+)_(.+)$/s.exec(place) ?? [];
	return at && id ? { at, id } : undefined;
}
