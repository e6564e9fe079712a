import { expect, test } from "vitest";
import { sumOf } from "./sale.ts";
import { asShown, cashDue, cashUnitOf, tenderFor } from "./tender.ts";

test.each([
	["KES", 2, 49.7835],
	["KES", 2, 49.785],
	["KES", 2, 1.005],
	["KES", 2, 100],
	["UGX", 0, 49.5],
	["JOD", 3, 0.0005],
])(
	"an amount in %s is displayed with %i digits: %d",
	(currency, digits, sum) => {
		const format = new Intl.NumberFormat("en", { style: "currency", currency });
		const shown = format.format(sum).replace(/[^\d.]/g, "");
		expect(asShown(sum, digits)).toBe(Number(shown));
	},
);

test.each([
	["KES", null, 1],
	["TZS", null, 50],
	["TZS", 100, 100],
	["USD", null, 0.01],
])(
	"cash in %s with a setting of %j is rounded to %d",
	(currency, cashUnit, unit) => {
		expect(cashUnitOf({ currency, cashUnit })).toBe(unit);
	},
);

test.each([
	[
		"nothing is rounded where the coins are there",
		1_000,
		5,
		undefined,
		1_000,
		0,
	],
	["what the shop forgives counts as paid", 1_002, 5, 1_000, 1_002, 2],
	["what the shop keeps isn't paid", 1_030, 50, 2_000, 1_980, -20],
	[
		"the due amount is the exact total to the last millionth",
		49.7835,
		1,
		undefined,
		49.7835,
		-0.2165,
	],
	["short cash stays short", 1_002, 5, 900, 902, 2],
	[
		"95 and twice 42 are 179: of 200 in whole shillings, 21 come back [T16]",
		179,
		1,
		200,
		200,
		0,
	],
	[
		"0.98 in coins of 0.05 is 1, whatever was tried before [T17]",
		0.98,
		0.05,
		1,
		0.98,
		-0.02,
	],
])("%s", (_, total, unit, handed, paid, rounding) => {
	const payment = tenderFor("CASH", total, unit, { handed });
	expect(payment.rounding).toBe(rounding);
	expect(sumOf([...payment.tenders, { amount: rounding }])).toBe(paid);
	// The change is what is handed over beyond the amount due.
	const change = (handed ?? cashDue(total, unit)) - cashDue(total, unit);
	expect(paid - total).toBeCloseTo(change, 6);
});

test("cards and M-PESA pay the exact total, whatever coins there are", () => {
	for (const method of ["CARD", "MPESA"] as const)
		expect(tenderFor(method, 1_002.5, 50)).toEqual({
			tenders: [{ method, amount: 1_002.5 }],
			rounding: 0,
		});
});
