import { expect, test } from "vitest";
import { decimalOf } from "./decimal.ts";

test.each([
	[65.2, 65.2],
	["65.00", 65],
	["65.50", 65.5],
	["12.", 12],
	["-2.0", -2],
	["007", 7],
	["5000000000", 5e9],
])("what a number's field holds as %j is %d", (typed, value) => {
	expect(decimalOf(typed)).toBe(value);
});

test.each(["", " ", "-", "../parts", "-."])("%j is no number yet", (typed) => {
	expect(decimalOf(typed)).toBeUndefined();
});
