import {
	CsvFileError,
	type CsvRecord,
	readRecords,
} from "../../../sync/protocol/csv-records.ts";
import type { DecimalMark } from "./decimals.ts";
import { decodeText } from "./decode-text.ts";

/** A file's rows, with the header first. */
export interface Table {
	records: Iterator<CsvRecord>;
	/** How numbers are written, as far as the file's format says. */
	decimalMark: DecimalMark | undefined;
	/** Whether numbers are typed, so that they say nothing about the language of a text. */
	isTyped?: true;
	/** True if the text's encoding was guessed. */
	isWindows1252?: boolean;
	/** A workbook's other sheets with rows, which are not read. */
	otherSheets?: string[];
}

const delimiters = [",", ";", "\t", "|"];

/** @throws CsvFileError if the file has too many lines, or its text can't be decoded */
export function readCsvTable(
	bytes: Uint8Array,
	linesMax = Number.POSITIVE_INFINITY,
): Table {
	const { text, isWindows1252 } = decodeText(bytes);
	assertFits(text, linesMax);
	// Excel's first line, which only names the delimiter.
	const [line, named] = /^"?sep=(.)"?(?=[\r\n])/i.exec(text) ?? [""];
	const table = text.slice(line.length);
	const delimiter = named ?? delimiterOf(table);
	return {
		records: readRecords(table, delimiter),
		// A comma that separates cells separates no decimals, or Excel would have written a semicolon.
		decimalMark: delimiter === "," ? "." : undefined,
		isWindows1252,
	};
}

/** Counts lines before parsing, because a line of two bytes takes about 700 when parsed. */
function assertFits(text: string, linesMax: number): void {
	// The parser accepts both CR and LF as line ends.
	for (const end of ["\n", "\r"]) {
		let lines = 0;
		for (let at = text.indexOf(end); at !== -1; lines += 1) {
			if (lines > linesMax) throw tooLong(linesMax);
			at = text.indexOf(end, at + 1);
		}
	}
}

export function tooLong(linesMax: number): CsvFileError {
	return new CsvFileError(
		`The file has more than ${linesMax} lines. Split it and import the parts one by one.`,
		"file_too_long",
	);
}

/** @returns the delimiter that occurs most often in the header, outside its quotation marks */
function delimiterOf(text: string): string {
	const [header = ""] = /[^\r\n]+/.exec(text) ?? [];
	const bare = header.replace(/"[^"]*"/g, "");
	const count = (delimiter: string) => bare.split(delimiter).length;
	const [best = ","] = delimiters.toSorted((a, b) => count(b) - count(a));
	return best;
}
