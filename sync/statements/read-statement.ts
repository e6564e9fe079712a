import type { Statement } from "./statement.ts";
import { readStatementCsv } from "./statement-csv.ts";
import { readMessages } from "./statement-messages.ts";

/**
 * Reads a statement in CSV or pasted messages.
 *
 * @param timeZone the shop's, in which statements tell times
 * @returns undefined if the text is neither
 * @throws CsvFileError if a line is too long
 */
export function readStatement(
	text: string,
	timeZone: string,
): Statement | undefined {
	return readStatementCsv(text, timeZone) ?? readMessages(text, timeZone);
}

/** Statements in PDF are not read: they hold pictures of lines, and have a password. */
export function isPdf(text: string): boolean {
	return text.startsWith("%PDF");
}
