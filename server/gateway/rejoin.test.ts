import { expect, test } from "vitest";
import { findRest, type Way } from "./rejoin.ts";

const told =
	"The shop sells milk, bread and eggs. A litre of milk costs two euros, and br";

test.each<[string, string, Way, string]>([
	["begins again", `${told}ead one.`, "repeats", "ead one."],
	["begins again after a space", `\n${told}ead one.`, "again", "ead one."],
	[
		"repeats the end",
		"A litre of milk costs two euros, and bread one.",
		"repeats",
		"ead one.",
	],
	[
		"repeats the end with other spaces, after a remark",
		"Of course:\n\nA litre of milk\ncosts two  euros, and bread one.",
		"repeats",
		"ead one.",
	],
	["continues", "ead one.", "continues", "ead one."],
	["begins again instead", `${told}ead one.`, "continues", "ead one."],
])("an answer that %s goes on after the text", (_, heard, way, rest) => {
	expect(findRest(told, heard, way, false)).toEqual({ rest });
	// In pieces, nothing is decided too early.
	for (let length = 0; length < heard.length; length += 1) {
		const reading = findRest(told, heard.slice(0, length), way, false);
		if (reading !== "undecided")
			expect(reading).toEqual({
				rest: rest.slice(0, rest.length - heard.length + length),
			});
	}
});

test.each<[string, string, Way, boolean]>([
	["says it in other words", "We sell milk. ".repeat(40), "repeats", false],
	["ends with other words", "Milk costs two euros.", "repeats", true],
	["stops short of the text's end", told.slice(0, 40), "repeats", true],
	["was to begin again and only goes on", "ead one.", "again", false],
	["repeats too few words", "two euros, and bread one.", "repeats", true],
	[
		"repeats the end too late",
		`${"So. ".repeat(120)}A litre of milk costs two euros, and bread`,
		"repeats",
		false,
	],
])("an answer that %s is not joined", (_, heard, way, isOver) => {
	expect(findRest(told, heard, way, isOver)).toBe("apart");
});

test("an end that came twice is not what an answer is joined at", () => {
	const line = "- Milk: 2.00 euros a litre, fresh every day\n";
	const heard = `${line}- Bread: 1.00`;
	expect(findRest(line + line, heard, "repeats", true)).toBe("apart");
	const end = `Prices today:\n${line}`;
	expect(findRest(`${line}${end}`, end + line, "repeats", true)).toEqual({
		rest: line,
	});
});

test.each([
	["Milk ", " is", "is"],
	["Milk ", "is", "is"],
	["Milk", " is", " is"],
	["Milk.\n\n", "\n\nBread", "Bread"],
	["Milk. ", "\n\nBread", "\n\nBread"],
])("a space between %j and %j comes once", (before, heard, rest) => {
	expect(findRest(before, heard, "continues", false)).toEqual({ rest });
});
