import { CsvFileError } from "./columns.ts";

/** Characters of one line: 300 times what a spreadsheet's are, and no ten million columns. */
const lineMaxChars = 500_000;

export const quotesReason =
	"Quotation marks stand around a whole field, doubled within it";

/** What stands between two line ends that are in no field. */
export interface CsvRecord {
	/** Where it begins in the file, from 1. */
	line: number;
	fields: string[];
	/** True where its quotation marks say nothing: the fields are then as they stand in the file. */
	isBroken: boolean;
}

/**
 * Reads CSV so that no line is lost: where a quotation is not closed, or a field goes on behind it, the line in which it
 * began is a broken record, and what follows is read as if it had not begun. A quotation mark that does not begin a field
 * is a letter like others. Empty lines are none.
 *
 * @throws CsvFileError for a line that is too long
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
				`Line ${line} has more than ${lineMaxChars} characters. Is a quotation mark missing?`,
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

/** @returns undefined where its quotation marks say nothing */
function readField(
	text: string,
	begin: number,
	delimiter: string,
): { value: string; end: number } | undefined {
	if (text[begin] === '"') return readQuoted(text, begin, delimiter);
	let end = begin;
	while (!isFieldEnd(text, end, delimiter)) end += 1;
	const value = text.slice(begin, end);
	// Whoever wrote it meant it to be around the field.
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
