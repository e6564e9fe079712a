import { readXlsx, streamXlsxRows } from "hucre/xlsx";
import { fromBufferPromise } from "yauzl";
import {
	CsvFileError,
	type CsvRecord,
} from "../../../sync/protocol/csv-records.ts";
import { recognizedFields } from "./columns.ts";
import { type Table, tooLong } from "./table.ts";

/** What the parts of a workbook may unpack to; the library holds each to the size that it declares. */
const unpackedMax = 300_000_000;
const sheetsMax = 50;
/** A double holds more, but Excel keeps only this many digits. */
const digitsMax = 15;

/**
 * Reads a workbook's first visible sheet whose header names products, or else its first one with rows. Formulas count as
 * what they showed when the file was saved.
 *
 * @throws CsvFileError if it has too many rows, needs a password, or can't be read
 */
export async function readWorkbook(
	bytes: Uint8Array,
	linesMax = Number.POSITIVE_INFINITY,
): Promise<Table> {
	try {
		await assertUnpacks(bytes);
		const names = await visibleSheets(bytes);
		const headers = new Map<string, string[]>();
		for (const sheet of names)
			for await (const { values } of streamXlsxRows(bytes, { sheet })) {
				const header = values.map(toText);
				if (header.every((text) => text === "")) continue;
				headers.set(sheet, header);
				break;
			}
		const filled = [...headers.keys()];
		const chosen =
			filled.find((sheet) =>
				recognizedFields(headers.get(sheet) ?? []).includes("name"),
			) ?? filled[0];
		const records =
			chosen === undefined ? [] : await readSheet(bytes, chosen, linesMax);
		return {
			records: records.values(),
			decimalMark: undefined,
			isTyped: true,
			otherSheets: filled.filter((sheet) => sheet !== chosen),
		};
	} catch (error) {
		if (error instanceof CsvFileError) throw error;
		const { name } = error as Error;
		throw new CsvFileError(
			name === "EncryptedFileError"
				? "The workbook has a password. Save it without one, or as CSV, and try again."
				: "This workbook can't be read. Save it as .xlsx, or as CSV, and try again.",
		);
	}
}

async function assertUnpacks(bytes: Uint8Array): Promise<void> {
	const [first] = bytes;
	// An older or encrypted workbook is no archive, which the library says.
	if (first !== 0x50) return;
	let size = 0;
	for await (const entry of (
		await fromBufferPromise(Buffer.from(bytes))
	).eachEntry())
		size += entry.uncompressedSize;
	if (size > unpackedMax)
		throw new CsvFileError(
			"The workbook is too large. Save its sheet as CSV and try again.",
		);
}

async function visibleSheets(bytes: Uint8Array): Promise<string[]> {
	const names: string[] = [];
	await readXlsx(bytes, {
		sheets({ name, hidden, veryHidden }) {
			if (!hidden && !veryHidden && names.length < sheetsMax) names.push(name);
			return false;
		},
	});
	return names;
}

async function readSheet(
	bytes: Uint8Array,
	sheet: string,
	linesMax: number,
): Promise<CsvRecord[]> {
	const records: CsvRecord[] = [];
	let width: number | undefined;
	for await (const { index, values } of streamXlsxRows(bytes, { sheet })) {
		const fields = values.map(toText);
		while (fields.at(-1) === "") fields.pop();
		if (fields.length === 0) continue;
		if (records.length > linesMax) throw tooLong(linesMax);
		width ??= fields.length;
		while (fields.length < width) fields.push("");
		records.push({ line: index + 1, fields, isBroken: false });
	}
	return records;
}

function toText(value: unknown): string {
	if (value === null || value === undefined) return "";
	if (value instanceof Date) return value.toISOString().slice(0, 10);
	if (typeof value !== "number") return String(value);
	// As a spreadsheet shows a code that it can't hold.
	if (Math.abs(value) >= 10 ** digitsMax) return value.toExponential(5);
	const text = String(Number(value.toPrecision(digitsMax)));
	// Three decimals could be read as thousands.
	return /\.\d{3}$/.test(text) ? `${text}0` : text;
}
