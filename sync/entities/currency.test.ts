import fc from "fast-check";
import { expect, test } from "vitest";
import { testSeed } from "../testing/lane.ts";
import { cashOf, roundCash } from "./currency.ts";
import { toMicros } from "./money.ts";

const listed = [
	...["KES", "TZS", "UGX", "RWF", "ETB", "USD", "EUR", "GBP", "ZAR", "NGN"],
	"INR",
];

test.each([
	["KES", 1, 1_000],
	["TZS", 50, 10_000],
	["UGX", 50, 50_000],
	["RWF", 5, 5_000],
	["ETB", 0.05, 200],
	["USD", 0.01, 100],
	["EUR", 0.01, 200],
	["GBP", 0.01, 50],
	["ZAR", 0.1, 200],
	["NGN", 5, 1_000],
	["INR", 1, 500],
	// Unlisted ones, of 2, 0 and 3 digits, and one that nobody knows.
	["CHF", 0.01, 100],
	["JPY", 1, 10_000],
	["KWD", 0.001, 10],
	["XQX", 0.01, 100],
])(
	"%s in cash is rounded to %d and its largest note is %d",
	(currency, unit, largest) => {
		const cash = cashOf(currency);
		expect(cash.unit).toBe(unit);
		expect(cash.pieces[0]).toBe(largest);
	},
);

test.each([...listed, "CHF", "JPY", "KWD"])(
	"the pieces of %s run from the largest to the cash unit, each once, and pay every rounded total",
	(currency) => {
		const { pieces, unit } = cashOf(currency);
		expect(pieces).toEqual([...new Set(pieces)].toSorted((a, b) => b - a));
		expect(pieces.at(-1)).toBe(unit);
		for (const piece of pieces)
			expect(toMicros(piece) % toMicros(unit), `${piece}`).toBe(0);
	},
);

test("an unlisted currency has pieces of 1, 2 and 5 at each power of ten", () => {
	expect(cashOf("JPY").pieces).toEqual([
		...[10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
	]);
	expect(cashOf("CHF").pieces).toEqual([
		...[100, 50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01],
	]);
});

test.each([
	[1_002, 5, 1_000],
	[1_003, 5, 1_005],
	[1_002.5, 5, 1_005],
	[1_002.499999, 5, 1_000],
	[1_030, 50, 1_050],
	[1_025, 50, 1_050],
	[1_024.999999, 50, 1_000],
	[1_000, 50, 1_000],
	[24, 50, 0],
	[0, 50, 0],
	[7.5, 1, 8],
	[0.98, 0.05, 1],
	[0.97, 0.05, 0.95],
	[19.95, 0.1, 20],
	[-1_002, 5, -1_000],
	[-1_030, 50, -1_050],
	[-1_025, 50, -1_050],
	[-24, 50, 0],
	[8_000_000_000, 0.000001, 8_000_000_000],
])("a total of %d in units of %d is %d in cash", (total, unit, due) => {
	const rounded = roundCash(toMicros(total), toMicros(unit));
	expect(rounded).toBe(toMicros(due));
});

test("a rounded total is the nearest multiple of the unit, and the larger one of two equally near", () => {
	const totals = fc.integer({ min: -8e15, max: 8e15 });
	fc.assert(
		fc.property(totals, fc.integer({ min: 1, max: 1e15 }), (total, unit) => {
			const rounded = BigInt(roundCash(total, unit));
			const size = BigInt(Math.abs(total));
			const wide = BigInt(unit);
			const down = (size / wide) * wide;
			const up = down + wide;
			const nearest = up - size <= size - down ? up : down;
			expect(rounded).toBe(total < 0 ? -nearest : nearest);
		}),
		{ numRuns: 2_000, seed: testSeed },
	);
});
