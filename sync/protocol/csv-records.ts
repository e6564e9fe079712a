export type CsvFileCode =
	| "file_unreadable"
	| "file_too_long"
	| "file_password"
	| "pdf_unreadable";

/** The whole file can't be read; the message says what to do about it. */
export class CsvFileError extends Error {
	override readonly name = "CsvFileError";
	readonly code: CsvFileCode;

	constructor(message: string, code: CsvFileCode = "file_unreadable") {
		super(message);
		this.code = code;
	}
}

/** The most characters in a line: 300 times a usual spreadsheet's, but too few for ten million columns. */
const lineMaxChars = 500_000;

export const quotesReason =
	"Quotation marks must enclose a whole field and be doubled inside it";

/** A CSV record; quoted fields may contain line ends. */
export interface CsvRecord {
	/** The line in the file where it begins, from 1. */
	line: number;
	fields: string[];
	/** True if its quotation marks are invalid; the fields are then the raw text. */
	isBroken: boolean;
}

/**
 * Parses CSV without losing lines. If a quoted field is not closed, or text follows its closing quote, only the line where
 * it begins becomes a broken record, and parsing resumes on the next line. A quotation mark inside an unquoted field is an
 * ordinary character. Empty lines are skipped.
 *
 * @throws CsvFileError if a line is too long
 */
export function* readRecords(
	text: string,
	delimiter: string,
): Generator<CsvRecord> {
	let at = 0;
	let line = 1;
	while (at < text.length) {
		const begin = at;
		const { fields, isBroken, end } = readRecord(text, begin, delimiter, line);
		at = afterLineEnd(text, end);
		if (fields.length > 1 || fields[0] !== "") yield { line, fields, isBroken };
		line += lineEndsIn(text, begin, at);
	}
}

function readRecord(
	text: string,
	begin: number,
	delimiter: string,
	line: number,
) {
	const fields: string[] = [];
	for (let at = begin; ; at += 1) {
		const field = readField(text, at, delimiter);
		const end = field?.end ?? lineEnd(text, at);
		if (end - begin > lineMaxChars)
			throw new CsvFileError(
				`Line ${line} has more than ${lineMaxChars} characters; check it for a missing quotation mark`,
			);
		if (!field) {
			fields.push(...text.slice(at, end).split(delimiter));
			return { fields, isBroken: true, end };
		}
		fields.push(field.value);
		at = end;
		if (text[at] !== delimiter) return { fields, isBroken: false, end };
	}
}

/** @returns undefined if the field's quotation marks are invalid */
function readField(
	text: string,
	begin: number,
	delimiter: string,
): { value: string; end: number } | undefined {
	if (text[begin] === '"') return readQuoted(text, begin, delimiter);
	let end = begin;
	while (!isFieldEnd(text, end, delimiter)) end += 1;
	const value = text.slice(begin, end);
	// A quotation mark after leading spaces was meant to enclose the field.
	return value.trimStart().startsWith('"') ? undefined : { value, end };
}

function readQuoted(text: string, begin: number, delimiter: string) {
	let close = text.indexOf('"', begin + 1);
	while (close !== -1 && text[close + 1] === '"')
		close = text.indexOf('"', close + 2);
	const end = close + 1;
	if (close === -1 || !isFieldEnd(text, end, delimiter)) return undefined;
	const value = text.slice(begin + 1, close).replaceAll('""', '"');
	return { value, end };
}

function isFieldEnd(text: string, at: number, delimiter: string): boolean {
	return at === text.length || text[at] === delimiter || isLineEnd(text, at);
}

function isLineEnd(text: string, at: number): boolean {
	return text[at] === "\n" || text[at] === "\r";
}

function lineEnd(text: string, begin: number): number {
	let end = begin;
	while (end < text.length && !isLineEnd(text, end)) end += 1;
	return end;
}

function afterLineEnd(text: string, at: number): number {
	return at + (text.startsWith("\r\n", at) ? 2 : 1);
}

function lineEndsIn(text: string, begin: number, end: number): number {
	let found = 0;
	for (let at = lineEnd(text, begin); at < end; at = lineEnd(text, at)) {
		at = afterLineEnd(text, at);
		found += 1;
	}
	return found;
}
