import { expect, test } from "vitest";
import { readStatement } from "./read-statement.ts";

const zone = "Africa/Nairobi";
const header =
	"Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,Balance";
const read = (...lines: string[]) => readStatement(lines.join("\r\n"), zone);
const paid = (more: object = {}) => ({
	...{ code: "UI31A2B3C4", paidAt: "2026-09-03T07:15:00.000Z", amount: 1_234 },
	payer: "Pay Bill from 0790***511 - JANE W.",
	...more,
});

test("a statement is read below the free rows before its header", () => {
	expect(
		read(
			"\uFEFFM-PESA ORGANIZATION STATEMENT",
			"Shortcode:,600123,,",
			'Period:,"1 Sep 2026, 00:00 - 3 Sep 2026",',
			"",
			header,
			'UI31A2B3C4,2026-09-03 10:15:00,Pay Bill from 0790***511 - JANE W.,Completed,"1,234.00",,"5,500.00"',
			'UI31A2B3C5,2026-09-03 10:16:00,Pay Bill from 0790***512 - JOHN K.,Completed,50.00,0.00,"5,550.00"',
			"",
			",,Disclaimer: this record is produced for your own use",
		),
	).toEqual({
		payments: [
			paid(),
			paid({
				...{ code: "UI31A2B3C5", paidAt: "2026-09-03T07:16:00.000Z" },
				...{ amount: 50, payer: "Pay Bill from 0790***512 - JOHN K." },
			}),
		],
		passedOver: 1,
		refused: [],
	});
});

test("a statement without a status or without withdrawals is read, and so is one of a merchant", () => {
	const line = "UI31A2B3C4,15/01/2026 09:30:47";
	const dated = { paidAt: "2026-01-15T06:30:47.000Z" };
	for (const [columns, rest, payer] of [
		[
			"Details,Paid In,Withdrawn,Balance",
			"Deposit of Funds at Agent Till 12345,1234.00,,5500.00",
			"Deposit of Funds at Agent Till 12345",
		],
		[
			"Details,Transaction Status,Paid In,Balance",
			'Merchant Payment Online,COMPLETED,"1,234.00",5500.00',
			"Merchant Payment Online",
		],
		[
			"Transaction Type,Other Party,Details,Transaction Status,Paid In,Withdrawn,Balance",
			"Small Business Pay Merchant,0712345678 JANE W.,Payment,Completed,Ksh 1234,,5500.00",
			"0712***678 JANE W.",
		],
	] as const)
		expect([
			columns,
			read(`Receipt No.,Completion Time,${columns}`, `${line},${rest}`),
		]).toEqual([
			columns,
			{ payments: [paid({ ...dated, payer })], passedOver: 0, refused: [] },
		]);
	// A program for spreadsheets may save it with semicolons.
	expect(
		read(
			header.replaceAll(",", ";"),
			"UI31A2B3C4;15/01/2026 09:30:47;Pay Bill;Completed;1,234.00;;5,500.00",
		)?.payments,
	).toEqual([paid({ ...dated, payer: "Pay Bill" })]);
});

test("charges, withdrawals, failed payments and repeated lines are passed over", () => {
	const line = (more: string, code = "UI31A2B3C4") =>
		`${code},2026-09-03 10:15:00,${more}`;
	expect(
		read(
			header,
			line("Pay Bill from 0790***511 - JANE W.,Completed,1234.00,0.00,5500.00"),
			// Each of these has been printed where nothing was paid in.
			line("Pay merchant Charge,Completed,0.00,-13.75,5486.25"),
			line("Pay merchant Charge,Completed,,13.75,5486.25"),
			line("Pay merchant Charge,Completed,-,−13.75,5486.25"),
			line("Pay merchant Charge,Completed,,0.00,5486.25"),
			line("Pay Bill from 0790***512,Failed,70.00,,5500.00", "UI31A2B3C5"),
			line("Reversal,Completed,-70.00,,5500.00", "UI31A2B3C6"),
			line("OverDraft of Credit Party,Completed,70.00,,0.00", "UI31A2B3C7"),
			header,
			line("Pay Bill from 0790***511 - JANE W.,Completed,1234.00,0.00,5500.00"),
			",,Total,Completed,1234.00,27.50,",
		),
	).toEqual({ payments: [paid()], passedOver: 10, refused: [] });
});

test("a line that can't be read is named with the reason, and the others are read", () => {
	const rest = "Pay Bill,Completed,1234.00,,";
	const statement = read(
		header,
		`UI31A2,2026-09-03 10:15:00,${rest}`,
		`UI31A2B3C4,2026-02-30 10:15:00,${rest}`,
		`UI31A2B3C4,yesterday,${rest}`,
		"UI31A2B3C4,2026-09-03 10:15:00,Pay Bill,Completed,12.34.00,,",
		"UI31A2B3C4,2026-09-03 10:15:00,Pay Bill,Completed,1,234.00,,",
		'UI31A2B3C4,2026-09-03 10:15:00,"Pay" Bill,Completed,1234.00,,',
		`UI31A2B3C4,2026-09-03 10:15:00,${rest}`,
		"UI31A2B3C4,2026-09-03 10:15:00,Pay Bill,Completed,1235.00,,",
	);
	expect(statement?.payments).toEqual([paid({ payer: "Pay Bill" })]);
	expect(statement?.refused.map(({ line, code }) => [line, code])).toEqual([
		[2, "no_code"],
		[3, "no_time"],
		[4, "no_time"],
		[5, "no_amount"],
		[6, "column_count"],
		[7, "quotation_marks"],
		[9, "other_amount"],
	]);
	expect(statement?.refused[0]?.text).toBe(
		"UI31A2, 2026-09-03 10:15:00, Pay Bill, Completed, 1234.00, ,",
	);
});

test("other text is no statement", () => {
	for (const text of ["", "Hello", "name,sku\nTea,1\n", "%PDF-1.7 …"])
		expect(read(text)).toBeUndefined();
});
