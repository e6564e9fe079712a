import { describe, expect, test } from "vitest";
import { rooms, textsIn } from "../testing/all-words.ts";
import { fr } from "./fr.ts";

const english = textsIn("en");
const translations: Record<string, Record<string, string>> = {
	sw: textsIn("sw"),
	fr,
};

/** Texts that are the same in English and another language, with the reason. */
const sameWords: Record<string, Record<string, string>> = {
	sw: { "M-PESA": "a name", WhatsApp: "a name", AI: "said in Swahili, too" },
	fr: {
		"M-PESA": "a name",
		Logo: "the French word",
		WhatsApp: "a name",
		Menu: "the French word",
		Notifications: "the French word",
		Total: "the French word",
		Stock: "the French word",
		Port: "the French word",
		Note: "the French word",
		Litre: "the French word",
		Millilitre: "the French word",
	},
};

/** The names of a text's values. */
function namesIn(text: string): string[] {
	return [...text.matchAll(/\{\{(\w+)\}\}/g)]
		.map(([, name]) => name as string)
		.sort();
}

const stems = Object.keys(english)
	.filter((key) => key.endsWith("_one"))
	.map((key) => key.slice(0, -"_one".length));

test("texts are found in many rooms, some with plural forms", () => {
	expect(rooms.length).toBeGreaterThan(10);
	expect(stems).toContain("till.items");
});

describe.each(Object.entries(translations))("in %s", (language, texts) => {
	test("every text of the app has words", () => {
		const empty = Object.keys(english).filter((key) => !texts[key]?.trim());
		expect(empty).toEqual([]);
	});

	test("every text has the values that the English one has", () => {
		const wrong = Object.entries(texts).filter(([key, text]) => {
			const plain = english[key] ?? english[key.replace(/_\w+$/, "_other")];
			return String(namesIn(text)) !== String(namesIn(plain ?? ""));
		});
		expect(wrong).toEqual([]);
	});

	test("no text is left in English", () => {
		const same = Object.entries(texts).filter(
			([key, text]) =>
				text === english[key] &&
				/\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, "")) &&
				!sameWords[language]?.[text],
		);
		expect(same).toEqual([]);
		const said = new Set(Object.values(texts));
		const unused = Object.keys(sameWords[language] ?? {}).filter(
			(text) => !said.has(text),
		);
		expect(unused).toEqual([]);
	});

	test("every plural form that the language has stands there", () => {
		const { pluralCategories } = new Intl.PluralRules(
			language,
		).resolvedOptions();
		const missing = stems.flatMap((stem) =>
			pluralCategories
				.map((category) => `${stem}_${category}`)
				.filter((key) => !texts[key]),
		);
		expect(missing).toEqual([]);
	});
});

test("in fr, no plain space can break a line before a punctuation mark", () => {
	const broken = Object.entries(fr).filter(([, text]) =>
		/ [?!;:»]|« /.test(text),
	);
	expect(broken).toEqual([]);
});
