import { expect, test } from "vitest";
import { textsIn } from "./all-words.ts";
import { foreignLinesIn } from "./foreign-lines.ts";

const swahili = textsIn("sw");

test.each([
	["a text of the app in English", "Complete sale"],
	["an English text with its values", "3 sold, KES 500 in total"],
	["an English sentence that the app doesn't know", "The file is not UTF-8"],
	["a code in snake case", "Jina: over_refunded"],
	["a code in capitals", "LOW_STOCK"],
	["a field's path", "sellingPrice: bei"],
])("%s is foreign on a Swahili page", (_, line) => {
	expect(foreignLinesIn([line], swahili)).toEqual([line]);
});

test.each([
	["a text of the app", "Kamilisha mauzo"],
	["a text that is the same in both languages", "M-PESA"],
	["a product's name", "Eggs tray of 30"],
	["an address", "https://shop.example/the_shop"],
])("%s belongs on a Swahili page", (_, line) => {
	expect(foreignLinesIn([line], swahili)).toEqual([]);
});
