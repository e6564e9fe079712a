/** Between the codes or packs in one cell, and between the parts of a pack. A backslash makes them letters of a name. */
const marks = /[\\;|]/g;
const letters = /\\[\\;|]|[\s\S]/g;

/** Splits a cell at separators. The parts keep their backslashes, so that they can be split again. */
export function splitCell(text: string, separators: string): string[] {
	const parts = [""];
	for (const [letter] of text.matchAll(letters))
		if (separators.includes(letter)) parts.push("");
		else parts[parts.length - 1] += letter;
	return parts;
}

export const toPart = (text: string) => text.replace(marks, "\\$&");

export const fromPart = (part: string) =>
	part.replace(/\\([\\;|])/g, "$1").trim();

/** Reads the codes in a cell, with `|` or `;` between them. */
export function readCodes(cell: string): string[] {
	return splitCell(cell, "|;")
		.map(fromPart)
		.filter((code) => code !== "");
}

export function writeCodes(codes: readonly string[]): string {
	// Codes that were added at once have no order of their ids.
	return codes.toSorted().map(toPart).join("|");
}
