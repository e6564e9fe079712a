import { sha256Base64url } from "#platform";

/*
 * A shift's report says which facts it counted: a tag of each fact's id, all in one text. Six characters are 36 bits, so that a
 * late fact of a shift of 300 is taken for a counted one once in two hundred million.
 */

const tagLength = 6;

/** The most facts that one report can name. */
export const seenMax = 100_000;

export function tagOf(id: string): string {
	return sha256Base64url(id).slice(0, tagLength);
}

/** Names facts, in an order that depends on nothing but their ids. */
export function toSeen(ids: readonly string[]): string {
	return ids.map(tagOf).sort().join("");
}

/** Returns the tags of the facts that a report counted. */
export function tagsOf(seen: string): Set<string> {
	const tags = new Set<string>();
	for (let at = 0; at < seen.length; at += tagLength)
		tags.add(seen.slice(at, at + tagLength));
	return tags;
}
