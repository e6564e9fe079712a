import { timestamp } from "../entities/fields.ts";
import type { Value } from "../store/store.ts";

/** Whether a value can be a row's. PostgreSQL compares a column of whole numbers with no other number. */
const isOf = {
	string: (value: unknown) => typeof value === "string",
	integer: Number.isSafeInteger,
	decimal: Number.isFinite,
};
export type KeyKind = keyof typeof isOf;

/** Encodes and decodes cursors of a list that is ordered by values of its rows. */
export function placesBy<Row>(
	kinds: readonly KeyKind[],
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
				kinds.every((kind, i) => isOf[kind](key[i]));
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
