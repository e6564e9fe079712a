import { stringify } from "csv-stringify/sync";

/**
 * What a spreadsheet would take for a formula, or what the apostrophe before one looks like, and what is only a number
 * though it begins like one.
 */
const formula = /^'*[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/**
 * Rows as RFC 4180 has them, for a spreadsheet: customers' words are in them, and none of them may be a formula. A long
 * file is made of some rows at a time.
 */
export function toCsv(rows: unknown[][]): string {
	return stringify(rows, {
		record_delimiter: "windows",
		// A line end of another kind ends a line for most readers, too.
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
