import { expect, test } from "vitest";
import {
	type ImportRefusal,
	importRefusalCodes,
} from "../../../sync/protocol/import-refusals.ts";
import { textsIn } from "../testing/all-words.ts";
import { fr } from "../words/fr.ts";
import type { Say } from "../words/index.ts";
import { reasonOf } from "./import-refused.tsx";

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
