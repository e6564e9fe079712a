import { momentOf } from "../protocol/clock.ts";
import { type CsvRecord, readRecords } from "../protocol/csv-records.ts";
import { codeOf } from "./mpesa-code.ts";
import {
	amountOf,
	localTime,
	openStatement,
	payerOf,
	type Statement,
} from "./statement.ts";

/** A column's names, in small letters and without signs. */
const columnNames = {
	code: ["receipt no", "receipt number", "receipt"],
	time: ["completion time", "completed time"],
	details: ["details"],
	status: ["transaction status", "status"],
	paidIn: ["paid in"],
	payer: ["other party info", "other party"],
};
type Column = keyof typeof columnNames;
interface Header {
	columns: Partial<Record<Column, number>>;
	/** How many cells a line has. */
	width: number;
}

/** Rows that may stand before the header: the name, the period and the sums of an account. */
const rowsBefore = 100;

/**
 * Reads an M-PESA statement in CSV: the file that the operator's portal gives, with free rows before its header, with or
 * without a status, and with dates of either form. Only what was paid in is read, so that a payment's charge, which has the
 * payment's receipt number, doesn't count.
 *
 * @returns undefined if the text has no header of a statement
 * @throws CsvFileError if a line is too long
 */
export function readStatementCsv(
	text: string,
	timeZone: string,
): Statement | undefined {
	for (const delimiter of [",", ";", "\t"]) {
		const records = readRecords(text, delimiter);
		const header = findHeader(records);
		if (header) return readLines(records, header, timeZone);
	}
	return undefined;
}

/** Reads up to the header. */
function findHeader(records: Generator<CsvRecord>): Header | undefined {
	for (let row = 0; row < rowsBefore; row += 1) {
		// A loop over the generator would close it.
		const { value, done } = records.next();
		if (done) return undefined;
		const header = headerOf(value.fields);
		if (header) return header;
	}
	return undefined;
}

/** @returns undefined if the row isn't a header */
function headerOf(fields: readonly string[]): Header | undefined {
	const names = fields.map((field) =>
		field
			.toLowerCase()
			.replaceAll(/[^a-z]+/g, " ")
			.trim(),
	);
	const columns: Header["columns"] = {};
	for (const column of Object.keys(columnNames) as Column[]) {
		const at = names.findIndex((name) => columnNames[column].includes(name));
		if (at !== -1) columns[column] = at;
	}
	const { code, time, paidIn } = columns;
	const isHeader =
		code !== undefined && time !== undefined && paidIn !== undefined;
	return isHeader ? { columns, width: fields.length } : undefined;
}

/** Money that the operator lends to complete a payment: it has the payment's receipt number, and no one has paid it in. */
const lent = /over\s?draft/i;

function readLines(
	records: Generator<CsvRecord>,
	{ columns, width }: Header,
	timeZone: string,
): Statement {
	const statement = openStatement();
	for (const { line, fields, isBroken } of records) {
		const cell = (column: Column) => {
			const at = columns[column];
			return at === undefined ? "" : (fields[at] ?? "").trim();
		};
		const text = fields.join(", ");
		const isCompleted =
			columns.status === undefined || /^completed$/i.test(cell("status"));
		if (isBroken) statement.refuse(line, "quotation_marks", text);
		// Words below the lines, and their sums.
		else if (cell("code") === "" && cell("time") === "") statement.passOver();
		// An amount like 1,234.00 without quotation marks would be read as 1.
		else if (fields.length !== width)
			statement.refuse(line, "column_count", text);
		else if (
			isPaidIn(cell("paidIn")) &&
			isCompleted &&
			!lent.test(cell("details"))
		)
			statement.add(line, text, {
				code: codeOf(cell("code")),
				paidAt: timeOf(cell("time"), timeZone),
				amount: amountOf(cell("paidIn")),
				payer: payerOf(cell("payer") || cell("details")),
			});
		else statement.passOver();
	}
	return statement.end();
}

/** An amount with a minus sign was taken back. The name of the column is that of a header on a further page. */
function isPaidIn(text: string): boolean {
	return /[1-9]/.test(text) && !/^[-−–(]/.test(text);
}

const yearFirst =
	/^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const dayFirst =
	/^(\d{1,2})[/-](\d{1,2})[/-](\d{4})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/;

/** @example timeOf("15/01/2026 09:30:47", "Africa/Nairobi") === "2026-01-15T06:30:47.000Z" */
function timeOf(text: string, timeZone: string): string | undefined {
	const ofYear = yearFirst.exec(text);
	const [
		,
		first = "",
		month = "",
		last = "",
		hour = "",
		minute = "",
		second = "00",
	] = ofYear ?? dayFirst.exec(text) ?? [];
	const date = ofYear
		? ([first, month, last] as const)
		: ([last, month, first] as const);
	const local = localTime(date, [Number(hour), minute, second]);
	return local && momentOf(local, timeZone);
}
