import { isUtf8 } from "node:buffer";
import { type ColumnMap, CsvFileError, readColumns } from "./columns.ts";
import { type CsvRecord, quotesReason, readRecords } from "./csv-records.ts";
import type { Field } from "./layouts.ts";

export { type ColumnMap, CsvFileError } from "./columns.ts";

/** A line of a file of products; a field that the file does not give, or leaves empty, is absent. */
export interface ProductLine {
	/** In the file, from 1. */
	line: number;
	record: string[];
	/** Where the file is our own. */
	id?: string | undefined;
	/** A second code, by which the product may be known. */
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
		imageUrl?: string;
		/** Only false: a product that its system does not sell. */
		isActive?: false;
	};
}

/** A line that can't be used, and why. */
export interface RefusedLine {
	line: number;
	record: string[];
	reason: string;
}

export interface ProductCsv {
	header: string[];
	/** The system whose columns these are, where it is known. */
	system: string | undefined;
	/** Columns whose name says nothing to us, and those of codes that lost to a barcode. */
	ignored: string[];
	/** Rows that are no product of their own: further pictures, heads of variants, repeated sales. */
	passedOver: number;
	lines: ProductLine[];
	refused: RefusedLine[];
}

/**
 * Reads products from a CSV file: UTF-8, with a header, separated by comma, semicolon or tab. Text stays as it is, so
 * that a barcode keeps its leading zeros. Numbers have a point and no thousands separators: "12,50" could be either.
 *
 * @param map columns that a person has named, over those that are recognised
 * @param linesMax how many lines the reader has room for
 * @throws CsvFileError for a file that is not UTF-8, whose header has no name, that is too long, or where a column must
 * be chosen
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
	const { value: first } = records.next() as IteratorResult<
		CsvRecord,
		undefined
	>;
	if (first?.isBroken)
		throw new CsvFileError(
			`The header (line ${first.line}) can't be read. ${quotesReason}`,
		);
	const header = first?.fields ?? [];
	const columns = readColumns(header, map);
	const lines: ProductLine[] = [];
	let passedOver = 0;
	for (const { line, fields: record, isBroken } of records) {
		try {
			if (isBroken) throw new FieldError(quotesReason);
			if (record.length !== header.length)
				throw new FieldError(
					`${record.length} columns where the header has ${header.length}`,
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
			if (!(error instanceof FieldError)) throw error;
			refused.push({ line, record, reason: error.message });
		}
	}
	const ignored = header.filter(
		(_, i) => !columns.used.has(i) || columns.spared.has(i),
	);
	const system = columns.layout?.name;
	return { header, system, ignored, passedOver, lines, refused };
}

class FieldError extends Error {}

/** Before anything is made of it: each line of two bytes becomes some 700. */
function assertFits(bytes: Uint8Array, linesMax: number): void {
	// Lines may end with either, as the parser sees it.
	for (const end of [0x0a, 0x0d]) {
		let lines = 0;
		for (let at = bytes.indexOf(end); at !== -1; lines += 1) {
			if (lines > linesMax)
				throw new CsvFileError(
					`The file has more than ${linesMax} lines. Split it, and import one part after the other.`,
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

/** Halves what is left: line by line, a file of twenty million empty ones would take half a minute. */
function lineOfBadByte(bytes: Uint8Array): number {
	/** A line begins here, and all before it is well. */
	let good = 0;
	/** No later line begins well. */
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

/** The separator that the header has most of. */
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
		// What the cashier types in at each sale has no price of its own.
		if (value === undefined || /^variable$/i.test(value)) return undefined;
		const plain = value.replace(/^(-?)\p{Sc}\s?/u, "$1");
		if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(plain))
			throw new FieldError(`${field}: "${value}" is not a number like 1250.5`);
		return Number(plain);
	};
	const flag = (field: Field) => {
		const value = texts[field]?.toLowerCase();
		if (value === undefined) return undefined;
		if (["true", "yes", "1"].includes(value)) return true;
		if (["false", "no", "0"].includes(value)) return false;
		throw new FieldError(`${field}: "${value}" is neither yes nor no`);
	};
	if (/^\d+([.,]\d+)?e\+\d+$/i.test(texts.sku ?? ""))
		throw new FieldError(
			`sku: "${texts.sku}" is a barcode that a spreadsheet has shortened; make its column text, and put the barcode there again`,
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
		imageUrl: texts.imageUrl,
	};
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
}
