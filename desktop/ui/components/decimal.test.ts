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
])("the value %j of a number field is %d", (typed, value) => {
	expect(decimalOf(typed)).toBe(value);
});

test.each(["", " ", "-", "../parts", "-."])(
	"%j isn't a number yet",
	(typed) => {
		expect(decimalOf(typed)).toBeUndefined();
	},
);
