import { toCsv } from "../../http/csv.ts";
import type { ExportRow, Pages } from "./tables.ts";

/** What a table is written as. */
export const formats = ["csv", "jsonl", "xlsx"] as const;
export type Format = (typeof formats)[number];

interface Table {
	name: string;
	columns: string[];
	pages: Pages;
}

/**
 * A table as a file's text or bytes, made as fast as it is taken. Formulas in text stay text: CSV has an apostrophe
 * before them, XLSX cells have their kind.
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

/** Beyond what a sheet can hold, rows go on in a further one. */
async function* xlsxOf({
	name,
	columns,
	pages,
}: Table): AsyncGenerator<Uint8Array> {
	// Few exports are of this format, and every command would load it.
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
 * In a spreadsheet's XML `_x0041_` is another way to write A: a word that has such signs says so, and what no XML may hold
 * is written by them. The library does it for control characters alone.
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
