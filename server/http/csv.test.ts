import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { toCsv } from "./csv.ts";

describe("a cell", () => {
	test.each([
		["Milk", "Milk"],
		[null, ""],
		[undefined, ""],
		[0, "0"],
		[-2.5, "-2.5"],
		["-2.50", "-2.50"],
		["+254700", "+254700"],
		["007", "007"],
		["a, b", '"a, b"'],
		['a "b"', '"a ""b"""'],
		["a\nb", '"a\nb"'],
		["=1+1", "'=1+1"],
		["+1+1", "'+1+1"],
		["-1+1", "'-1+1"],
		["-", "'-"],
		["@SUM(A1)", "'@SUM(A1)"],
		["\tx", "'\tx"],
		["\r=x", `"'\r=x"`],
		['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
		["For the =SUM", "For the =SUM"],
		["Žlutý 牛奶", "Žlutý 牛奶"],
	])("%j is written %j", (value, text) => {
		expect(toCsv([["x", value]])).toBe(`x,${text}\r\n`);
	});
});

test("rows written as CSV read back unchanged", () => {
	const rows = [
		["name", "note"],
		['a "b", c', "one\r\ntwo"],
		["", "é"],
	];
	expect(parse(toCsv(rows))).toEqual(rows);
});
