import { stripVTControlCharacters } from "node:util";

/**
 * Prints rows as a table for a person, or as JSON for a program.
 *
 * @param empty printed on standard error if there are no rows
 */
export function printRows(
	rows: readonly Record<string, string | number | boolean | null>[],
	{ json = false, empty }: { json?: boolean; empty: string },
): void {
	if (json) {
		console.log(JSON.stringify(rows, null, 2));
		return;
	}
	const [first] = rows;
	if (!first) {
		console.error(empty);
		return;
	}
	const names = Object.keys(first);
	const cells = rows.map((row) => names.map((name) => toCell(row[name])));
	const widths = names.map((name, i) =>
		Math.max(name.length, ...cells.map((row) => row[i]?.length ?? 0)),
	);
	for (const row of [names.map((name) => name.toUpperCase()), ...cells])
		console.log(
			row
				.map((cell, i) => cell.padEnd(widths[i] ?? 0))
				.join("  ")
				.trimEnd(),
		);
}

/** Prints a record, one field per line, or as JSON. */
export function printRecord(
	record: Record<string, unknown>,
	{ json = false }: { json?: boolean },
): void {
	if (json) {
		console.log(JSON.stringify(record, null, 2));
		return;
	}
	const width = Math.max(...Object.keys(record).map((name) => name.length));
	for (const [name, value] of Object.entries(record))
		console.log(`${name.padEnd(width)}  ${toCell(value as string | null)}`);
}

function toCell(value: string | number | boolean | null | undefined): string {
	if (value === null || value === undefined) return "-";
	return harmless(String(value)).replaceAll("\n", " ");
}

/** Strips control characters but line ends, so that names typed elsewhere can't control this terminal. */
function harmless(text: string): string {
	return stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\n]/gu, " ");
}

/** Says something on standard error that has words from elsewhere. */
export function say(text: string): void {
	console.error(harmless(text));
}

/** Shows the current step if standard error is a terminal; an empty text clears it. */
export function showProgress(text: string): void {
	if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
