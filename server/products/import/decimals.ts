/** What separates the decimals of a number. */
export type DecimalMark = "." | ",";

/** A currency before or after a number, such as `KSh`, `€`, `TZS` or the `/=` of East Africa. */
const currency = String.raw`(?:[A-Z]{0,2}\p{Sc}|[A-Z]{3}|[KTUkt]?[Ss]h\.?|Rs\.?|FRw|FCFA|Fr\.?|R|kr\.?)`;
const before = new RegExp(`^([-−]?)\\s?${currency}\\s?([-−]?)(?=\\d)`, "u");
const after = new RegExp(`(?<=\\d)(?:\\s?${currency}|\\s?/[=-])$`, "u");

/** Thousands, with any mark between them that isn't the decimal one, and at most six decimals besides zeros. */
function shape(mark: DecimalMark): RegExp {
	const group = String.raw`[\s'’${mark === "." ? "," : "."}]`;
	return new RegExp(
		String.raw`^[-−]?(?:\d{1,15}|[1-9]\d{0,2}(${group})(?:\d{2,3}\1)*\d{3})(?:[${mark}]\d{1,6}0*)?$`,
	);
}
const shapes: [DecimalMark, RegExp][] = [
	[".", shape(".")],
	[",", shape(",")],
];

/** The values that a text can have, by its decimal mark; none if it is no number. */
function readings(text: string): Map<DecimalMark, number> {
	const bare = text.replace(before, "$1$2").replace(after, "").trim();
	const found = new Map<DecimalMark, number>();
	for (const [mark, pattern] of shapes) {
		if (!pattern.test(bare)) continue;
		const digits = bare
			.replace(/[^\d.,−-]/g, "")
			.replaceAll(mark === "." ? "," : ".", "");
		found.set(mark, Number(digits.replace(",", ".").replace("−", "-")));
	}
	return found;
}

/** The decimal mark that a number proves: `1,5` and `1.250,00` a comma; `1,250` and `1250` none. */
function provenBy(text: string): DecimalMark | undefined {
	const [first, ...others] = readings(text).keys();
	return others.length === 0 ? first : undefined;
}

/** The decimal mark that numbers agree on, if any. */
export function decimalMarkIn(
	texts: Iterable<string>,
): DecimalMark | undefined {
	const proven = new Set<DecimalMark>();
	for (const text of texts) {
		const mark = provenBy(text);
		if (mark) proven.add(mark);
	}
	const [mark, ...others] = proven;
	return others.length === 0 ? mark : undefined;
}

/**
 * Reads a number as spreadsheets of any language write it.
 *
 * @param mark the decimal mark of the file, for a number that can be read in two ways, such as `1,250`
 * @returns undefined if it is no number, "ambiguous" if only the mark could decide
 */
export function readDecimal(
	text: string,
	mark: DecimalMark | undefined,
): number | "ambiguous" | undefined {
	const found = readings(text);
	const [first, ...others] = found.values();
	if (others.every((value) => value === first)) return first;
	return (mark && found.get(mark)) ?? "ambiguous";
}
