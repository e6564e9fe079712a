/*
 * A word with one typo: a letter that is wrong, missing or too many, or two that changed places.
 */

/** A shorter word is too near to too many others. */
const nearMin = 4;

/** Whether a word may be mistyped: codes are looked up as they are. */
export const mayBeNear = (word: string) =>
	word.length >= nearMin && !/^\d+$/.test(word);

/** Returns parts of a mistyped word, of which the word that was meant has one: a half, or all of it with the halves' ends in the other order. */
export function soundParts(word: string): string[] {
	const middle = Math.floor(word.length / 2);
	const [a, b] = [word.slice(0, middle), word.slice(middle)];
	return [a, b, a.slice(0, -1) + b[0] + a.slice(-1) + b.slice(1)];
}

/** Whether a name has a word that begins with this one, but for one typo. */
export const isNear = (word: string, name: string) =>
	name.split(/[^\p{L}\p{N}]+/u).some((part) => beginsNearly(part, word));

function beginsNearly(part: string, word: string): boolean {
	let i = 0;
	while (i < word.length && part[i] === word[i]) i += 1;
	const rest = word.slice(i + 1);
	return (
		i === word.length ||
		part.startsWith(rest, i + 1) ||
		part.startsWith(word.slice(i), i + 1) ||
		part.startsWith(rest, i) ||
		(part[i] === word[i + 1] &&
			part[i + 1] === word[i] &&
			part.startsWith(word.slice(i + 2), i + 2))
	);
}
