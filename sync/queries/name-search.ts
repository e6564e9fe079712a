import { searchable } from "../entities/searchable.ts";
import type { Value } from "../store/store.ts";

/** The longest name, 500 characters, of which normalization makes at most 18 each (U+FDFA). */
const searchableMax = 500 * 18;

/**
 * Returns the condition for names that contain a text, in any case.
 *
 * @returns undefined if no name can
 */
export function nameCondition(
	search: string,
): { where: string; params: Value[] } | undefined {
	const part = searchable(search);
	// SQLite ends a LIKE pattern at a NUL and fails on one that is too long.
	if (part.includes("\0") || part.length > searchableMax) return undefined;
	// LIKE with escaped wildcards works in SQLite and PostgreSQL; `instr` does not.
	return {
		where: "search_name LIKE ? ESCAPE '!'",
		params: [`%${likeText(part)}%`],
	};
}

/** Escapes a text in a pattern of `LIKE ? ESCAPE '!'`. */
export function likeText(text: string): string {
	return text.replace(/[!%_]/g, "!$&");
}
