import { stripVTControlCharacters } from "node:util";

/**
 * Rows for whoever reads them: lines of columns for a person, JSON for a program.
 *
 * @param empty said, on standard error, where there is no row
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

/** One record: a line for each field, or JSON. */
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

/** What was typed elsewhere must not steer this terminal. */
function toCell(value: string | number | boolean | null | undefined): string {
	if (value === null || value === undefined) return "-";
	return stripVTControlCharacters(String(value)).replaceAll(/\p{Cc}/gu, " ");
}

/** What is being done now, to a person at a terminal. */
export function tellProgress(text: string): void {
	if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}
