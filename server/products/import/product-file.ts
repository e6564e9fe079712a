import {
	CsvFileError,
	type CsvRecord,
	quotesReason,
} from "../../../sync/protocol/csv-records.ts";
import type { ImportNote } from "../../../sync/protocol/import-notes.ts";
import { readCodes } from "../list-cell.ts";
import { type FilePack, readPacks } from "../pack-cell.ts";
import {
	type ColumnMap,
	type Row,
	readColumns,
	recognizedFields,
} from "./columns.ts";
import { type DecimalMark, decimalMarkIn, readDecimal } from "./decimals.ts";
import type { Field } from "./layouts.ts";
import { LineError, type RefusedLine, refuseLine } from "./line-error.ts";
import { hasNoFixedPrice, openNotes } from "./notes.ts";
import { readCsvTable, type Table } from "./table.ts";

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
		/** Further codes, which are added to those that the product has. */
		codes?: string[];
		/** Those that the product lacks are added, others changed. */
		packs?: FilePack[];
		buyingPrice?: number;
		sellingPrice?: number;
		quantity?: number;
		lowStock?: number;
		isService?: boolean;
		category?: string;
		taxClass?: string;
		categoryTaxClass?: string;
		unit?: string;
		imageUrl?: string;
		/** False for a product that isn't on sale, otherwise absent. */
		isActive?: false;
	};
}

export interface ProductFile {
	header: string[];
	/** The system that wrote the file, if recognized. */
	system: string | undefined;
	/** Columns that were not recognized, and those of which some line has a better one for the field. */
	ignored: string[];
	/** What was left out or changed, besides columns and refused lines. */
	notes: ImportNote[];
	lines: ProductLine[];
	refused: RefusedLine[];
}

/** What a person chose about a file, and what it may have. */
export interface ReadOptions {
	/** Chosen columns, which override recognized ones. */
	map?: ColumnMap | undefined;
	/** The decimal mark of numbers that can be read in two ways; read from the others by default. */
	decimal?: DecimalMark | undefined;
	/** The most lines to accept. */
	linesMax?: number | undefined;
}

/**
 * Reads products from a CSV file with a header. Text is kept verbatim, so that barcodes keep leading zeros.
 *
 * @throws CsvFileError if the file can't be read or is too long, its header has no name, or the user must choose a column
 */
export function readProductCsv(
	bytes: Uint8Array,
	options: ReadOptions = {},
): ProductFile {
	return productsIn(readCsvTable(bytes, options.linesMax), options);
}

/** Reads products from a CSV file or a workbook. @throws CsvFileError like `readProductCsv` */
export async function readProductFile(
	bytes: Uint8Array,
	options: ReadOptions = {},
): Promise<ProductFile> {
	return productsIn(await readTable(bytes, options.linesMax), options);
}

async function readTable(bytes: Uint8Array, linesMax?: number): Promise<Table> {
	if (!isWorkbook(bytes)) return readCsvTable(bytes, linesMax);
	// Only workbooks need the library.
	const { readWorkbook } = await import("./workbook.ts");
	return await readWorkbook(bytes, linesMax);
}

/** A row of the file, before its numbers are read. */
interface ReadRow {
	line: number;
	record: string[];
	row: Row;
}

function productsIn(table: Table, { map = {}, decimal }: ReadOptions) {
	const { records } = table;
	const refused: RefusedLine[] = [];
	const header = readHeader(records);
	const columns = readColumns(header, map);
	const notes = openNotes(header, columns, table);
	const rows: ReadRow[] = [];
	for (const { line, fields: record, isBroken } of remaining(records)) {
		notes.look(record);
		try {
			if (isBroken) throw new LineError("quotation_marks", quotesReason);
			if (record.length !== header.length)
				throw new LineError(
					"column_count",
					`${record.length} columns where the header has ${header.length}`,
					{ value: String(record.length) },
				);
			const row = columns.read(record);
			if (row) rows.push({ line, record, row });
			else notes.add("not_a_product", line);
		} catch (error) {
			if (!(error instanceof LineError)) throw error;
			refused.push(refuseLine({ line, record }, error));
		}
	}
	const mark = decimal ?? decimalMarkOf(table, rows);
	const lines: ProductLine[] = [];
	for (const { line, record, row } of rows)
		try {
			const fields = toFields(row.texts, mark);
			if (row.isOffSale) fields.isActive = false;
			const { otherSku } = row;
			lines.push({ line, record, id: columns.idOf(record), otherSku, fields });
			notes.addAll(row, codesIn(fields), line);
		} catch (error) {
			if (!(error instanceof LineError)) throw error;
			refused.push(refuseLine({ line, record }, error));
		}
	refused.sort((a, b) => a.line - b.line);
	const ignored = header.filter(
		(_, i) => !columns.used.has(i) || columns.spared.has(i),
	);
	const system = columns.layout?.name;
	return { header, system, ignored, notes: notes.read(), lines, refused };
}

/** The decimal mark that a text file's numbers prove, or else the one that its format implies. */
function decimalMarkOf(
	{ isTyped, decimalMark }: Table,
	rows: readonly ReadRow[],
): DecimalMark | undefined {
	if (isTyped) return undefined;
	const texts = numberFields.flatMap((field) =>
		rows.flatMap(({ row }) => row.texts[field] ?? []),
	);
	return decimalMarkIn(texts) ?? decimalMark;
}

function* remaining(records: Iterator<CsvRecord>): Generator<CsvRecord> {
	for (let next = records.next(); !next.done; next = records.next())
		yield next.value;
}

/** Whether a file begins as a ZIP archive or as an older Office document. */
export const isWorkbook = (bytes: Uint8Array) =>
	/^(504b0304|d0cf11e0)/.test(
		Buffer.from(bytes.subarray(0, 4)).toString("hex"),
	);

function readHeader(records: Iterator<CsvRecord>): string[] {
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
export interface FileSample {
	header: string[];
	/** The field that each column is read as, unless the user chooses another. */
	fields: (Field | null)[];
	rows: string[][];
}

/**
 * Reads a file's header and first rows, for a person who maps its columns.
 *
 * @throws CsvFileError if the file or its header can't be read
 */
export async function sampleProductFile(
	bytes: Uint8Array,
	rowsMax: number,
	linesMax?: number,
): Promise<FileSample> {
	const { records } = await readTable(bytes, linesMax);
	const header = readHeader(records);
	const rows: string[][] = [];
	for (const { fields } of remaining(records)) {
		if (rows.length === rowsMax) break;
		rows.push(fields);
	}
	return { header, fields: recognizedFields(header), rows };
}

const numberFields = [
	...["buyingPrice", "sellingPrice", "quantity", "lowStock"],
] as const satisfies readonly Field[];

/** Units that say no more than none. */
const piece = /^(pcs?|pieces?|units?|each|ea)\.?$/i;

const yes = "true yes y 1 ndiyo oui ja si sí active".split(" ");
const no = "false no n 0 la hapana non nein inactive archived".split(" ");

function toFields(
	texts: Partial<Record<Field, string>>,
	mark: DecimalMark | undefined,
): ProductLine["fields"] {
	const number = (field: Field) => {
		const value = texts[field];
		if (value === undefined || hasNoFixedPrice(value)) return undefined;
		const read = readDecimal(value, mark);
		if (read === "ambiguous")
			throw new LineError(
				"ambiguous_number",
				`${field}: "${value}" can be read in two ways; say how the file writes decimals`,
				{ field, value },
			);
		if (read === undefined)
			throw new LineError(
				"not_a_number",
				`${field}: "${value}" is not a number like 1250.5`,
				{ field, value },
			);
		return read;
	};
	const flag = (field: Field) => {
		const value = texts[field]?.toLowerCase();
		if (value === undefined) return undefined;
		if (yes.includes(value)) return true;
		if (no.includes(value)) return false;
		throw new LineError(
			"not_yes_or_no",
			`${field}: "${value}" must be yes or no`,
			{ field, value },
		);
	};
	const codes = readCodes(texts.codes ?? "");
	const packs = readPacks(texts.packs ?? "");
	assertWhole("sku", [texts.sku ?? ""]);
	assertWhole("codes", codes);
	for (const pack of packs) assertWhole("packs", pack.codes);
	const fields: ProductLine["fields"] = {
		name: texts.name,
		sku: texts.sku,
		codes: codes.length > 0 ? codes : undefined,
		packs: packs.length > 0 ? packs : undefined,
		buyingPrice: number("buyingPrice"),
		sellingPrice: number("sellingPrice"),
		quantity: number("quantity"),
		lowStock: number("lowStock"),
		isService: flag("isService"),
		category: texts.category,
		taxClass: texts.taxClass?.toUpperCase(),
		categoryTaxClass: texts.categoryTaxClass?.toUpperCase(),
		unit: piece.test(texts.unit ?? "") ? undefined : texts.unit,
		imageUrl: texts.imageUrl,
		...(flag("isActive") === false ? { isActive: false } : {}),
	};
	return Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
}

/** All codes of a line, also those of its packs. */
export function codesIn({
	sku,
	codes = [],
	packs = [],
}: ProductLine["fields"]) {
	const own = sku === undefined ? codes : [sku, ...codes];
	return [...own, ...packs.flatMap(({ codes }) => codes)];
}

/** @throws LineError for a barcode like `6.00124E+12` */
function assertWhole(field: Field, codes: readonly string[]): void {
	const value = codes.find((code) => /^\d+([.,]\d+e\+?|e\+)\d+$/i.test(code));
	if (value !== undefined)
		throw new LineError(
			"rounded_code",
			`${field}: "${value}" is a barcode that a spreadsheet has rounded; format its column as text and enter the barcode again`,
			{ field, value },
		);
}
