// Words with typos and in many languages. cspell:disable
import { expect, test } from "vitest";
import { isNear, mayBeNear, soundParts } from "./near-name.ts";

const letters = "amo";

/** Every way to type a word with one typo. */
function typosOf(word: string): Set<string> {
	const typos = new Set<string>();
	for (let i = 0; i <= word.length; i += 1) {
		const [before, after] = [word.slice(0, i), word.slice(i)];
		typos.add(before + after.slice(1));
		for (const letter of letters) {
			typos.add(before + letter + after);
			typos.add(before + letter + after.slice(1));
		}
		const [a = "", b = ""] = after;
		typos.add(before + b + a + after.slice(2));
	}
	typos.delete(word);
	return typos;
}

test.each(["milk", "maize", "mchele", "kitunguu"])(
	"each way to mistype %s finds it, and by a part that it has",
	(word) => {
		const name = `fresh ${word}-flour 2kg`;
		const typos = [...typosOf(word)].filter(mayBeNear);
		expect(typos.length).toBeGreaterThan(10);
		const missed = typos.filter(
			(typo) =>
				!isNear(typo, name) ||
				!soundParts(typo).some((part) => name.includes(part)),
		);
		expect(missed).toEqual([]);
	},
);

test.each([
	["mlki", "bread"],
	["mxlx", "milk"],
	["ilkm", "milk"],
	["klim", "milk"],
	["sugra", "brown sauce"],
])("the word %s is not near to %s", (word, name) => {
	expect(isNear(word, name)).toBe(false);
});

test("short words and codes of digits are taken as they are", () => {
	expect(["tea", "500", "61234567"].filter(mayBeNear)).toEqual([]);
});
