import type { Figure, Result } from "./bench-kept.ts";

/** Smaller changes are within the noise of two runs of the same program. */
const noise = 0.1;

/** A line of the printed table; the last three fields only if there is a kept result. */
interface Row {
	what: string;
	value: number;
	unit: string;
	wanted: string;
	met: string;
	kept?: number | "";
	change?: string;
	"than kept"?: "better" | "worse" | "";
}

/**
 * Compares a benchmark's figures with the kept ones. Ratios come first: both sides of a ratio come from the same run, so
 * only ratios can be compared between machines.
 */
export function toTable(measured: Result, kept?: Result): Row[] {
	const compared = kept && isComparable(measured, kept) ? kept : undefined;
	const ratiosFirst = measured.figures.toSorted(
		(a, b) => Number(b.unit === "ratio") - Number(a.unit === "ratio"),
	);
	return ratiosFirst.map((figure) => ({
		...toRow(figure),
		...(compared && besideKept(figure, measured, compared)),
	}));
}

/** @returns remarks on the comparison, one sentence each */
export function notesOf(
	name: string,
	measured: Result,
	kept?: Result,
): string[] {
	if (!kept)
		return [
			`There is no kept result of ${name}; \`npm run bench -- ${name} --keep\` keeps this one for comparison.`,
		];
	const day = kept.at.slice(0, 10);
	if (!isComparable(measured, kept))
		return [
			`Not compared: the result of ${day} was measured with ${wordsOf(kept)}, this one with ${wordsOf(measured)}.`,
		];
	const notes = [`Compared with the result of ${day}.`];
	if (!isAlike(measured, kept))
		notes.push(
			`It was measured on ${placeOf(kept)}, this one on ${placeOf(measured)}: only ratios are judged.`,
		);
	for (const figure of measured.figures) {
		const before = sameOf(figure, kept);
		if (before && before.versions !== figure.versions)
			notes.push(
				`${figure.what}: now with ${figure.versions}; kept with ${before.versions}.`,
			);
	}
	const gone = kept.figures.filter((figure) => !sameOf(figure, measured));
	if (gone.length > 0)
		notes.push(
			`Kept but not measured now: ${gone.map(({ what }) => what).join("; ")}.`,
		);
	return notes;
}

function toRow({ what, value, unit, reach, limit }: Figure): Row {
	return {
		what,
		value: rounded(value, unit),
		unit,
		wanted: wantedOf(reach, limit),
		met: (reach ?? limit) !== undefined ? isMet(value, reach, limit) : "",
	};
}

function wantedOf(reach?: number, limit?: number): string {
	if (reach !== undefined) return `at least ${reach}`;
	return limit === undefined ? "" : `at most ${limit}`;
}

function isMet(value: number, reach = value, limit = value): string {
	return value >= reach && value <= limit ? "yes" : "no";
}

function rounded(value: number, unit: string): number {
	const size = Math.abs(value);
	const digits = unit === "ratio" || size < 10 ? 2 : size < 100 ? 1 : 0;
	return Number(value.toFixed(digits));
}

function besideKept(
	figure: Figure,
	measured: Result,
	kept: Result,
): Pick<Row, "kept" | "change" | "than kept"> {
	const before = sameOf(figure, kept);
	if (!before) return { kept: "", change: "new", "than kept": "" };
	const isFair = figure.unit === "ratio" || isAlike(measured, kept);
	return {
		kept: rounded(before.value, before.unit),
		change: changeOf(figure, before.value),
		"than kept": isFair ? verdictOf(figure, before.value) : "",
	};
}

/** The change in percent; the plain difference if a percentage is meaningless. */
function changeOf({ value, unit }: Figure, before: number): string {
	const signed = (n: number) => (n > 0 ? `+${n}` : `${n}`);
	if (value === before) return "0 %";
	return before > 0 && value >= 0
		? `${signed(Math.round(100 * (value / before - 1)))} %`
		: signed(rounded(value - before, unit));
}

/** Judges a change relative to the figure's bound, if it has one: 1 MB is noise for a limit of 50 MB. */
function verdictOf(
	{ value, reach, limit }: Figure,
	before: number,
): "better" | "worse" | "" {
	const wanted = reach ?? limit;
	if (wanted === undefined) return "";
	const scale = Math.max(Math.abs(before), Math.abs(wanted));
	if (Math.abs(value - before) <= noise * scale) return "";
	return value > before === (reach !== undefined) ? "better" : "worse";
}

function sameOf(figure: Figure, { figures }: Result): Figure | undefined {
	return figures.find(
		({ what, unit }) => what === figure.what && unit === figure.unit,
	);
}

/** Whether both runs had the same settings. */
function isComparable(a: Result, b: Result): boolean {
	return wordsOf(a) === wordsOf(b);
}

function isAlike(a: Result, b: Result): boolean {
	return placeOf(a) === placeOf(b);
}

function placeOf({ node, machine }: Result): string {
	return `${machine.cores} cores, ${machine.memoryGb} GB, Node ${node}`;
}

function wordsOf({ settings }: Result): string {
	const words = Object.entries(settings).map(
		([name, value]) => `${name} ${value}`,
	);
	return words.length === 0 ? "default settings" : words.sort().join(", ");
}
