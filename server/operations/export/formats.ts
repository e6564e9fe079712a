import { toCsv } from "../../http/csv.ts";
import type { ExportRow, Pages } from "./tables.ts";

/** File formats of an exported table. */
export const formats = ["csv", "jsonl", "xlsx"] as const;
export type Format = (typeof formats)[number];

interface Table {
	name: string;
	columns: string[];
	pages: Pages;
}

/**
 * Streams a table as the text or bytes of a file. Formulas in text stay text: CSV cells get a leading apostrophe, XLSX
 * cells have a type.
 */
export function toFile(
	format: Format,
	table: Table,
): AsyncIterable<string | Uint8Array> {
	return { csv: csvOf, jsonl: jsonLinesOf, xlsx: xlsxOf }[format](table);
}

async function* csvOf({ columns, pages }: Table): AsyncGenerator<string> {
	yield toCsv([columns]);
	for await (const rows of pages)
		yield toCsv(rows.map((row) => valuesOf(columns, row)));
}

async function* jsonLinesOf({ columns, pages }: Table): AsyncGenerator<string> {
	for await (const rows of pages)
		yield rows.map((row) => `${JSON.stringify(row, columns)}\n`).join("");
}

/** Rows beyond the limit of a sheet continue on the next sheet. */
async function* xlsxOf({
	name,
	columns,
	pages,
}: Table): AsyncGenerator<Uint8Array> {
	// Load the library only for XLSX, not for every command.
	const { writeXlsxStream } = await import("hucre/xlsx");
	async function* rows() {
		for await (const page of pages)
			for (const row of page) yield valuesOf(columns, row).map(escaped);
	}
	yield* writeXlsxStream(rows(), {
		name,
		columns: columns.map((header) => ({ header })),
		freezePane: { rows: 1 },
	});
}

/**
 * Escapes text for a spreadsheet's XML, where `_x0041_` means A: literal sequences like that, and characters that XML can't
 * contain. The library only escapes control characters.
 */
function escaped<T>(value: T): T | string {
	return typeof value === "string"
		? value
				.replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
				.replaceAll("\ufffe", "_xFFFE_")
				.replaceAll("\uffff", "_xFFFF_")
		: value;
}

function valuesOf(columns: string[], row: ExportRow) {
	return columns.map((column) => row[column] ?? null);
}
