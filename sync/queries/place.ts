import { timestamp } from "../entities/fields.ts";
import type { Value } from "../store/store.ts";

/** Encodes and decodes cursors of a list that is ordered by values of its rows, each a text or a number. */
export function placesBy<Row>(
	kinds: readonly ("string" | "number")[],
	keyOf: (row: Row) => Value[],
) {
	return {
		placeOf: (row: Row): string => JSON.stringify(keyOf(row)),

		/** @returns undefined for a text that is not a cursor */
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

/** A fact's cursor: its moment and its id, in a format that published URLs already use. */
export function placeOf(fact: { createdAt: string; id: string }): string {
	return `${fact.createdAt}_${fact.id}`;
}

/** @returns undefined for a text that is not a cursor */
export function readPlace(place = ""): { at: string; id: string } | undefined {
	// An id may contain the separator too.
	const [, at, id] = /^([^_]+)_(.+)$/s.exec(place) ?? [];
	return at && id && timestamp.safeParse(at).success ? { at, id } : undefined;
}
