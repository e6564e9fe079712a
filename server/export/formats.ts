import { toCsv } from "../csv.ts";
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

async function* jsonLinesOf({ pages }: Table): AsyncGenerator<string> {
	for await (const rows of pages)
		yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
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
			for (const row of page) yield valuesOf(columns, row);
	}
	yield* writeXlsxStream(rows(), {
		name,
		columns: columns.map((header) => ({ header })),
		freezePane: { rows: 1 },
	});
}

function valuesOf(columns: string[], row: ExportRow) {
	return columns.map((column) => row[column] ?? null);
}
