import { expect, test } from "vitest";
import { importNoteCodes } from "../../../sync/protocol/import-notes.ts";
import {
	type ImportRefusal,
	importRefusalCodes,
} from "../../../sync/protocol/import-refusals.ts";
import { textsIn } from "../testing/all-words.ts";
import { fr } from "../words/fr.ts";
import type { Say } from "../words/index.ts";
import { reasonOf, textOf } from "./import-refused.tsx";

const texts: Record<string, Record<string, string>> = {
	en: textsIn("en"),
	sw: textsIn("sw"),
	fr,
};

function sayIn(language: string): Say {
	return (word, values = {}) =>
		String(texts[language]?.[word]).replace(/{{(\w+)}}/g, (_, name) =>
			String(values[name]),
		);
}

const refusal: ImportRefusal = {
	line: 3,
	reason: 'sellingPrice: "cheap" is not a number like 1250.5',
	code: "not_a_number",
	field: "sellingPrice",
	value: "cheap",
};

test.each([
	["en", "Selling price: “cheap” isn't a number like 1250.5."],
	["sw", "Bei ya kuuza: “cheap” si nambari kama 1250.5."],
])("a refused line says what is wrong in %s", (language, said) => {
	expect(reasonOf(refusal, sayIn(language))).toBe(said);
});

test.each([...importRefusalCodes, "invalid_args" as const])(
	"a line refused with %s is worded without the developers' reason in each language",
	(code) => {
		const said = Object.keys(texts).map((language) =>
			reasonOf({ ...refusal, code }, sayIn(language)),
		);
		expect(new Set(said).size).toBe(said.length);
		for (const text of said) expect(text).not.toMatch(/sellingPrice|undefined/);
	},
);

test.each(importNoteCodes)(
	"what an import leaves out is worded with its lines in each language: %s",
	(code) => {
		const said = Object.keys(texts).map((language) =>
			textOf({ code, value: "Body", lines: [] }, sayIn(language)),
		);
		expect(new Set(said).size).toBe(said.length);
		for (const text of said) expect(text).not.toContain("undefined");
	},
);

test("a note names the line or the first lines that it is about", () => {
	const say = sayIn("en");
	const code = "not_on_sale" as const;
	const reason = "not on sale there, so not on sale here.";
	expect(textOf({ code, lines: [3] }, say)).toBe(`Line 3: ${reason}`);
	const many = Array.from({ length: 30 }, (_, i) => i + 2);
	expect(textOf({ code, lines: many }, say)).toBe(
		`Lines ${many.slice(0, 20).join(", ")} …: ${reason}`,
	);
});
