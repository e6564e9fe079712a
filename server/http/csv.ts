import { stringify } from "csv-stringify/sync";
import { CsvFileError } from "../../sync/protocol/csv-records.ts";
import { HttpError } from "./http-error.ts";

/**
 * `formula` matches a cell that a spreadsheet would run as a formula, in some languages also after a wide sign, or one already
 * escaped by an apostrophe; `plainNumber` matches a plain number that begins like a formula.
 */
const formula = /^'*[=+\-@\t\r＝＋－＠]/;
const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/**
 * Writes rows as CSV (RFC 4180), with formulas escaped, since cells hold customers' text. Call it repeatedly to write a
 * long file in parts.
 */
export function toCsv(rows: unknown[][]): string {
	return stringify(rows, {
		record_delimiter: "windows",
		// Most readers also end a line at a lone CR or LF.
		quoted_match: /[\r\n]/,
		cast: {
			string: harmless,
			boolean: (value) => (value ? "1" : "0"),
		},
	});
}

function harmless(text: string): string {
	return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that exports put before formulas. */
export function withoutApostrophe(cell: string): string {
	const rest = cell.slice(1);
	return cell.startsWith("'") && formula.test(rest) ? rest : cell;
}

/** Reads an uploaded file. @throws HttpError 400 if the whole file can't be read */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof CsvFileError)
			throw new HttpError(400, error.message, {
				code: error.code,
				cause: error,
			});
		throw error;
	}
}
