import { expect, test } from "vitest";
import {
	checkDigitOf,
	codeKeys,
	hasWrongCheckDigit,
	isMisread,
} from "./gtin.ts";

test.each([
	["EAN-13", "4006381333931"],
	["UPC", "036000291452"],
	["EAN-8", "96385074"],
	["GTIN-14", "10012345678902"],
])("a known %s has its printed check digit", (_form, code) => {
	expect(checkDigitOf(code.slice(0, -1))).toBe(code.at(-1));
	expect(hasWrongCheckDigit(code)).toBe(false);
	const misread = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
	expect(hasWrongCheckDigit(misread)).toBe(true);
	expect(isMisread(misread)).toBe(code.length > 8);
});

test("a shop's own codes have no check digit", () => {
	for (const code of [
		"SUGAR-1",
		"12345",
		"1234567890",
		"",
		"４００６３８１３３３９３１",
	])
		expect(hasWrongCheckDigit(code)).toBe(false);
});

test.each([
	["04252614", "042100005264"],
	["01234565", "012345000065"],
	["01278907", "012000007897"],
	["01201303", "012000000133"],
	["01234133", "012300000413"],
	["01234145", "012340000015"],
])("the UPC-E %s and the UPC %s are one code", (short, upc) => {
	expect(hasWrongCheckDigit(short)).toBe(false);
	expect(codeKeys(short)).toEqual([`000000${short}`, `00${upc}`]);
	for (const form of [upc, `0${upc}`, `00${upc}`])
		expect(codeKeys(form)).toEqual([`00${upc}`, `000000${short}`]);
});

test("codes of other lengths are compared in any case", () => {
	expect(codeKeys(" Sugar-1 ")).toEqual(["sugar-1"]);
	expect(codeKeys("0123")).toEqual(["0123"]);
	// One of the two is what a database's lower() makes of it.
	expect(codeKeys("É1")).toEqual(["É1", "é1"]);
});
