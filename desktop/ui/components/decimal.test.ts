import i18next from "i18next";
import { expect, onTestFinished, test } from "vitest";
import { cleanDecimal, cleanSigned, decimalOf } from "./decimal.ts";

test.each([
	[65.2, 65.2],
	["65.00", 65],
	["65.50", 65.5],
	["12.", 12],
	["-2.0", -2],
	["007", 7],
	["5000000000", 5e9],
	["-1,5", -1.5],
	["-1,500", -1_500],
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
	["\u22121,5", "-1,5"],
	[" -1,500", "-1500"],
	["3-4", "34"],
	["-", "-"],
])("%j typed into a field for a signed number becomes %j", (typed, text) => {
	expect(cleanSigned(typed)).toBe(text);
});

/** What is in a field after these keys, and the number that it means. */
function afterTyping(keys: string, shown = "") {
	const text = [...keys].reduce((now, key) => cleanDecimal(now + key), shown);
	return [text, decimalOf(text)];
}

test.each([
	["1,500", "1500", 1_500],
	["1,234,567", "1234567", 1_234_567],
	["1,500.50", "1500.50", 1_500.5],
	["1,5", "1,5", 1.5],
	["12,50", "12,50", 12.5],
	["0,500", "0,500", 0.5],
	["1.500", "1.500", 1.5],
	["1.5,000", "1.5000", 1.5],
	[",5", ",5", 0.5],
	["KES 1,500", "1500", 1_500],
])("%j, typed or pasted in English, becomes %j", (typed, text, value) => {
	expect(afterTyping(typed)).toEqual([text, value]);
	expect(cleanDecimal(typed)).toBe(text);
});

test.each([
	["1,500", "1.500", 1.5],
	["1\u202f500,50", "1500.50", 1_500.5],
])("%j, typed or pasted in French, becomes %j", async (typed, text, value) => {
	await i18next.init({ lng: "fr" });
	onTestFinished(async () => {
		await i18next.changeLanguage("en");
	});
	expect(afterTyping(typed)).toEqual([text, value]);
	expect(cleanDecimal(typed)).toBe(text);
});

test("digits that keys on the screen add to a typed comma count too", () => {
	expect(decimalOf("1,500")).toBe(1_500);
});
