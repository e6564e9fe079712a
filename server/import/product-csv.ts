import { type CsvError, type Info, parse } from "csv-parse/sync";

/** A line of a file of products; a field that the file does not give, or leaves empty, is absent. */
export interface ProductLine {
	/** In the file, from 1. */
	line: number;
	record: string[];
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
	/** Columns whose name says nothing to us. */
	ignored: string[];
	lines: ProductLine[];
	refused: RefusedLine[];
}

type Field = keyof ProductLine["fields"];

/** What a column may be called, in lower case without anything but letters and digits. The first match counts. */
const namesByField: Record<Field, string[]> = {
	name: ["name", "productname", "product", "description", "title", "item"],
	sku: ["sku", "barcode", "stockcode", "code", "ean", "upc", "gtin"],
	buyingPrice: ["buyingprice", "cost", "costprice", "purchaseprice"],
	sellingPrice: ["sellingprice", "price", "unitprice", "retailprice"],
	quantity: ["quantity", "stock", "qty", "onhand"],
	lowStock: ["lowstock", "reorderlevel"],
	isService: ["isservice", "service"],
	category: ["category", "categoryname"],
	imageUrl: ["imageurl", "image"],
};

/** The file as a whole can't be read; the message says what to do about it. */
export class CsvFileError extends Error {
	override readonly name = "CsvFileError";
}

/**
 * Reads products from a CSV file: UTF-8, with a header, separated by comma, semicolon or tab. Text stays as it is, so
 * that a barcode keeps its leading zeros. Numbers have a point and no thousands separators: "12,50" could be either.
 *
 * @throws CsvFileError for a file that is not UTF-8 or whose header has no name
 */
export function readProductCsv(bytes: Uint8Array): ProductCsv {
	const text = decode(bytes);
	const refused: RefusedLine[] = [];
	const records = parse(text, {
		bom: true,
		delimiter: delimiterOf(text),
		info: true,
		relax_column_count: true,
		skip_empty_lines: true,
		skip_records_with_error: true,
		on_skip(error) {
			const reason = (error as CsvError).message;
			const line = Number((error as CsvError).lines ?? 0);
			refused.push({ line, record: [], reason });
		},
	}) as unknown as { record: string[]; info: Info }[];
	const [first, ...rest] = records;
	const header = first?.record ?? [];
	const indexes = columnsOf(header);
	if (!indexes.has("name"))
		throw new CsvFileError(
			`The header has no column for the name. It has: ${header.join(", ") || "nothing"}`,
		);
	const lines: ProductLine[] = [];
	// A quoted field may run over several lines: a record begins after the end of the one before it.
	let begins = (first?.info.lines ?? 1) + 1;
	for (const { record, info } of rest) {
		const line = begins;
		begins = info.lines + 1;
		try {
			if (record.length !== header.length)
				throw new FieldError(
					`${record.length} columns where the header has ${header.length}`,
				);
			lines.push({ line, record, fields: toFields(record, indexes) });
		} catch (error) {
			if (!(error instanceof FieldError)) throw error;
			refused.push({ line, record, reason: error.message });
		}
	}
	const used = new Set(indexes.values());
	const ignored = header.filter((_, i) => !used.has(i));
	return { header, ignored, lines, refused };
}

class FieldError extends Error {}

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

function lineOfBadByte(bytes: Uint8Array): number {
	let begin = 0;
	for (let line = 1; ; line += 1) {
		const newline = bytes.indexOf(0x0a, begin);
		const end = newline === -1 ? bytes.length : newline;
		if (!isUtf8(bytes.subarray(begin, end)) || newline === -1) return line;
		begin = newline + 1;
	}
}

function isUtf8(bytes: Uint8Array): boolean {
	const text = new TextDecoder().decode(bytes);
	return Buffer.compare(Buffer.from(text), bytes) === 0;
}

/** The separator that the header has most of. */
function delimiterOf(text: string): string {
	const [header = ""] = text.split("\n", 1);
	const count = (delimiter: string) => header.split(delimiter).length;
	const [best = ","] = [",", ";", "\t"].toSorted((a, b) => count(b) - count(a));
	return best;
}

function columnsOf(header: string[]): Map<Field, number> {
	const plain = header.map((name) =>
		name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""),
	);
	const indexes = new Map<Field, number>();
	for (const [field, names] of Object.entries(namesByField)) {
		const name = names.find((candidate) => plain.includes(candidate));
		if (name !== undefined) indexes.set(field as Field, plain.indexOf(name));
	}
	return indexes;
}

function toFields(
	record: string[],
	indexes: Map<Field, number>,
): ProductLine["fields"] {
	const cell = (field: Field) => {
		// Our own file keeps formulas from spreadsheets by an apostrophe, which is no part of the word.
		const value = (record[indexes.get(field) ?? -1] ?? "").replace(
			/^'(?=[=+\-@\t\r])/,
			"",
		);
		return value.trim() === "" ? undefined : value;
	};
	const number = (field: Field) => {
		const value = cell(field)?.trim();
		if (value === undefined) return undefined;
		if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(value))
			throw new FieldError(`${field}: "${value}" is not a number like 1250.5`);
		return Number(value);
	};
	const flag = (field: Field) => {
		const value = cell(field)?.trim().toLowerCase();
		if (value === undefined) return undefined;
		if (["true", "yes", "1"].includes(value)) return true;
		if (["false", "no", "0"].includes(value)) return false;
		throw new FieldError(`${field}: "${value}" is neither yes nor no`);
	};
	const fields: ProductLine["fields"] = {
		name: cell("name")?.trim(),
		sku: cell("sku")?.trim(),
		buyingPrice: number("buyingPrice"),
		sellingPrice: number("sellingPrice"),
		quantity: number("quantity"),
		lowStock: number("lowStock"),
		isService: flag("isService"),
		category: cell("category")?.trim(),
		imageUrl: cell("imageUrl")?.trim(),
	};
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
}
