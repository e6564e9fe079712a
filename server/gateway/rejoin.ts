/**
 * How a second answer is asked for: by the same request again, or with the broken text as a turn to continue, or as one that
 * was cut off, whose end the answer repeats.
 */
export type Way = "again" | "continues" | "repeats";

/** What a second answer adds to a text that broke off; `apart` if it doesn't go on with it. */
type Reading = { rest: string } | "undecided" | "apart";

/** A repeated end is this long, since a shorter one could be there by chance. */
const anchorMin = 32;
const anchorMax = 160;
/** How far into the second answer a repeated end may reach. */
const windowLength = 480;

/**
 * Finds what comes after a text that broke off, in an answer that goes on with it or, whatever was asked, begins again.
 * Nothing is guessed.
 *
 * @param told what the caller has
 * @param heard the second answer so far
 * @param isOver whether the second answer has ended
 */
export function findRest(
	told: string,
	heard: string,
	way: Way,
	isOver: boolean,
): Reading {
	const begun = told.trimStart();
	const answer = heard.trimStart();
	if (answer.startsWith(begun)) return { rest: answer.slice(begun.length) };
	if (begun.startsWith(answer) && !isOver) return "undecided";
	if (way === "continues") return { rest: joinAt(told, heard) };
	const anchor = way === "repeats" ? anchorOf(told) : undefined;
	const end =
		anchor === undefined
			? undefined
			: endOf(anchor, heard.slice(0, windowLength));
	if (end === undefined)
		return anchor && heard.length < windowLength && !isOver
			? "undecided"
			: "apart";
	const rest = heard.slice(end);
	// Which spaces to keep is known when a word follows.
	return rest.trim() === "" && !isOver
		? "undecided"
		: { rest: joinAt(told, rest) };
}

/** Leaves out the spaces that the caller has already. */
function joinAt(told: string, rest: string): string {
	const before = told.slice(told.trimEnd().length);
	const after = rest.slice(0, rest.length - rest.trimStart().length);
	if (after.startsWith(before)) return rest.slice(before.length);
	return after.includes("\n") ? rest : rest.trimStart();
}

/** The shortest end of a text, its spaces folded, that occurs in it only once. */
function anchorOf(told: string): string | undefined {
	const words = told.trim().replaceAll(/\s+/g, " ");
	for (let length = anchorMin; length <= anchorMax; length += 8) {
		const start = words.length - length;
		if (start < 0) return undefined;
		const end = words.slice(start);
		if (words.indexOf(end) === start) return end.trimStart();
	}
	return undefined;
}

/** Where a text with folded spaces ends in another, which may have others. */
function endOf(folded: string, text: string): number | undefined {
	let words = "";
	const ends: number[] = [];
	for (const [i, letter] of text.split("").entries()) {
		const isSpace = letter.trim() === "";
		if (isSpace && words.endsWith(" ")) continue;
		words += isSpace ? " " : letter;
		ends.push(i + 1);
	}
	const at = words.indexOf(folded);
	return at < 0 ? undefined : ends[at + folded.length - 1];
}
