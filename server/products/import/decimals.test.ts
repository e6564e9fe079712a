import { expect, test } from "vitest";
import { decimalMarkIn, readDecimal } from "./decimals.ts";

test.each([
	["1250.5", 1250.5],
	["1250,5", 1250.5],
	["1,250.50", 1250.5],
	["1.250,50", 1250.5],
	["1 250,50", 1250.5],
	["1\u00a0250,50", 1250.5],
	["1'250.50", 1250.5],
	["1,25,000.00", 125_000],
	["1.250.500", 1_250_500],
	["0,250", 0.25],
	["−3", -3],
	["-2,25", -2.25],
	["£4,250.00", 4250],
	["KSh 1,250/=", "ambiguous"],
	["KSh 120/=", 120],
	["1.250,00 €", 1250],
	["-$5.00", -5],
	["US$7.5", 7.5],
	["TZS 500", 500],
	["11.080000000", 11.08],
	["1,250", "ambiguous"],
	["1.250", "ambiguous"],
	["007", 7],
	["12.5.1", undefined],
	["1,25,00", undefined],
	["12,34.5", undefined],
	["1e3", undefined],
	["5kg", undefined],
	["-", undefined],
	["=1+1", undefined],
	["1234567890123456", undefined],
	["0.1234567", undefined],
])(
	"%s is read as %s where nothing says how a file writes decimals",
	(text, value) => {
		expect(readDecimal(text, undefined)).toBe(value);
	},
);

test("a number that can be read in two ways follows the others of its file", () => {
	expect(decimalMarkIn(["5", "1,250", "2,5"])).toBe(",");
	expect(decimalMarkIn(["1,250", "2.5", "7"])).toBe(".");
	expect(decimalMarkIn(["1,250", "7"])).toBeUndefined();
	expect(decimalMarkIn(["2,5", "2.5"])).toBeUndefined();
	expect(readDecimal("1,250", ",")).toBe(1.25);
	expect(readDecimal("1,250", ".")).toBe(1250);
	expect(readDecimal("KSh 1.250", ",")).toBe(1250);
});
