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

/** A statement in PDF is for the server to read: it has a password, and no till carries a reader. */
export function isPdf(text: string): boolean {
	return text.startsWith("%PDF");
}
