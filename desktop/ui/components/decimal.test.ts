import { expect, test } from "vitest";
import { cleanSigned, decimalOf } from "./decimal.ts";

test.each([
	[65.2, 65.2],
	["65.00", 65],
	["65.50", 65.5],
	["12.", 12],
	["-2.0", -2],
	["007", 7],
	["5000000000", 5e9],
])("the value %j of a number field is %d", (typed, value) => {
	expect(decimalOf(typed)).toBe(value);
});

test.each(["", " ", "-", "../parts", "-."])(
	"%j isn't a number yet",
	(typed) => {
		expect(decimalOf(typed)).toBeUndefined();
	},
);

test.each([
	["-2.0", "-2.0"],
	["\u22121,5", "-1.5"],
	[" -1,500", "-1500"],
	["3-4", "34"],
	["-", "-"],
])("%j typed into a field for a signed number becomes %j", (typed, text) => {
	expect(cleanSigned(typed)).toBe(text);
});
