import { isUtf8 } from "node:buffer";
import {
	CsvFileError,
	type CsvRecord,
	quotesReason,
	readRecords,
} from "../../../sync/protocol/csv-records.ts";
import { type ColumnMap, readColumns, recognizedFields } from "./columns.ts";
import type { Field } from "./layouts.ts";
import { LineError, type RefusedLine, refuseLine } from "./line-error.ts";

export type { ColumnMap } from "./columns.ts";

/** A product line of a file; fields that are missing or empty are absent. */
export interface ProductLine {
	/** The line number in the file, from 1. */
	line: number;
	record: string[];
	/** The product's id, in a Counterfoil export. */
	id?: string | undefined;
	/** A second code by which the product may be stored. */
	otherSku?: string | undefined;
	fields: {
		name?: string;
		sku?: string;
		buyingPrice?: number;
		sellingPrice?: number;
		quantity?: number;
		lowStock?: number;
		isService?: boolean;
		category?: string;
		taxClass?: string;
		imageUrl?: string;
		/** False for a product that its system doesn't sell, otherwise absent. */
		isActive?: false;
	};
}

export interface ProductCsv {
	header: string[];
	/** The system that wrote the file, if recognized. */
	system: string | undefined;
	/** Columns that were not recognized, and code columns ignored in favour of a barcode. */
	ignored: string[];
	/** The number of rows that are not products: further pictures, headers of variants, repeated sales. */
	passedOver: number;
	lines: ProductLine[];
	refused: RefusedLine[];
}

/**
 * Reads products from a CSV file in UTF-8 with a header, separated by comma, semicolon or tab. Text is kept verbatim, so
 * that barcodes keep leading zeros. Numbers take a decimal point and no thousands separators, because "12,50" is ambiguous.
 *
 * @param map columns chosen by the user, which override recognized ones
 * @param linesMax the most lines to accept
 * @throws CsvFileError if the file is not UTF-8 or too long, its header has no name, or the user must choose a column
 */
export function readProductCsv(
	bytes: Uint8Array,
	map: ColumnMap = {},
	linesMax = Number.POSITIVE_INFINITY,
): ProductCsv {
	assertFits(bytes, linesMax);
	const text = decode(bytes);
	const refused: RefusedLine[] = [];
	const records = readRecords(text, delimiterOf(text));
	const header = readHeader(records);
	const columns = readColumns(header, map);
	const lines: ProductLine[] = [];
	let passedOver = 0;
	for (const { line, fields: record, isBroken } of records) {
		try {
			if (isBroken) throw new LineError("quotation_marks", quotesReason);
			if (record.length !== header.length)
				throw new LineError(
					"column_count",
					`${record.length} columns where the header has ${header.length}`,
					{ value: String(record.length) },
				);
			const row = columns.read(record);
			if (row)
				lines.push({
					line,
					record,
					id: columns.idOf(record),
					otherSku: row.otherSku,
					fields: {
						...toFields(row.texts),
						...(row.isOffSale ? { isActive: false } : {}),
					},
				});
			else passedOver += 1;
		} catch (error) {
			if (!(error instanceof LineError)) throw error;
			refused.push(refuseLine({ line, record }, error));
		}
	}
	const ignored = header.filter(
		(_, i) => !columns.used.has(i) || columns.spared.has(i),
	);
	const system = columns.layout?.name;
	return { header, system, ignored, passedOver, lines, refused };
}

function readHeader(records: Generator<CsvRecord>): string[] {
	const { value: first } = records.next() as IteratorResult<
		CsvRecord,
		undefined
	>;
	if (first?.isBroken)
		throw new CsvFileError(
			`The header (line ${first.line}) has invalid quotation marks. ${quotesReason}`,
		);
	return first?.fields ?? [];
}

/** A file's columns and first rows, as they are. */
interface CsvSample {
	header: string[];
	/** The field that each column is read as, unless the user chooses another. */
	fields: (Field | null)[];
	rows: string[][];
}

/**
 * Reads a file's header and first rows, for a person who maps its columns.
 *
 * @throws CsvFileError if the file is not UTF-8 or its header can't be read
 */
export function sampleProductCsv(
	bytes: Uint8Array,
	rowsMax: number,
): CsvSample {
	const text = decode(bytes);
	const records = readRecords(text, delimiterOf(text));
	const header = readHeader(records);
	const rows: string[][] = [];
	for (const { fields } of records) {
		if (rows.length === rowsMax) break;
		rows.push(fields);
	}
	return { header, fields: recognizedFields(header), rows };
}

/** Counts lines before parsing, because a line of two bytes takes about 700 when parsed. */
function assertFits(bytes: Uint8Array, linesMax: number): void {
	// The parser accepts both CR and LF as line ends.
	for (const end of [0x0a, 0x0d]) {
		let lines = 0;
		for (let at = bytes.indexOf(end); at !== -1; lines += 1) {
			if (lines > linesMax)
				throw new CsvFileError(
					`The file has more than ${linesMax} lines. Split it and import the parts one by one.`,
					"file_too_long",
				);
			at = bytes.indexOf(end, at + 1);
		}
	}
}

function decode(bytes: Uint8Array): string {
	const decoder = new TextDecoder("utf-8", { fatal: true });
	try {
		return decoder.decode(bytes);
	} catch {
		const line = lineOfBadByte(bytes);
		throw new CsvFileError(
			`The file is not UTF-8 (line ${line}). Save it as "CSV UTF-8" and try again.`,
		);
	}
}

/** Finds the line by bisection: checking twenty million lines one by one would take half a minute. */
function lineOfBadByte(bytes: Uint8Array): number {
	/** The start of a line before which everything is valid. */
	let good = 0;
	/** No line starting later follows only valid text. */
	let last = bytes.length;
	while (good < last) {
		const middle = (good + last) >> 1;
		const next = bytes.indexOf(0x0a, middle) + 1;
		const isWell =
			next !== 0 && next <= last && isUtf8(bytes.subarray(good, next));
		if (isWell) good = next;
		else last = middle;
	}
	let line = 1;
	for (let at = bytes.indexOf(0x0a); at !== -1 && at < good; line += 1)
		at = bytes.indexOf(0x0a, at + 1);
	return line;
}

/** @returns the separator that occurs most often in the header */
function delimiterOf(text: string): string {
	const [header = ""] = /[^\r\n]+/.exec(text) ?? [];
	const count = (delimiter: string) => header.split(delimiter).length;
	const [best = ","] = [",", ";", "\t"].toSorted((a, b) => count(b) - count(a));
	return best;
}

function toFields(
	texts: Partial<Record<Field, string>>,
): ProductLine["fields"] {
	const number = (field: Field) => {
		const value = texts[field];
		// "variable" means that the cashier enters the price at each sale, so there is none to import.
		if (value === undefined || /^variable$/i.test(value)) return undefined;
		const plain = value.replace(/^(-?)\p{Sc}\s?/u, "$1");
		if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(plain))
			throw new LineError(
				"not_a_number",
				`${field}: "${value}" is not a number like 1250.5`,
				{ field, value },
			);
		return Number(plain);
	};
	const flag = (field: Field) => {
		const value = texts[field]?.toLowerCase();
		if (value === undefined) return undefined;
		if (["true", "yes", "1", "ndiyo", "oui"].includes(value)) return true;
		if (["false", "no", "0", "la", "hapana", "non"].includes(value))
			return false;
		throw new LineError(
			"not_yes_or_no",
			`${field}: "${value}" must be yes or no`,
			{ field, value },
		);
	};
	const { sku = "" } = texts;
	if (/^\d+([.,]\d+)?e\+\d+$/i.test(sku))
		throw new LineError(
			"rounded_code",
			`sku: "${sku}" is a barcode that a spreadsheet has rounded; format its column as text and enter the barcode again`,
			{ field: "sku", value: sku },
		);
	const fields: ProductLine["fields"] = {
		name: texts.name,
		sku: texts.sku,
		buyingPrice: number("buyingPrice"),
		sellingPrice: number("sellingPrice"),
		quantity: number("quantity"),
		lowStock: number("lowStock"),
		isService: flag("isService"),
		category: texts.category,
		taxClass: texts.taxClass?.toUpperCase(),
		imageUrl: texts.imageUrl,
	};
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
}
