import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import type { words } from "../pages.ts";
import { localValues } from "../stored-values.ts";

export const languages = { en: "English", sw: "Kiswahili" } as const;
type Language = keyof typeof languages;

/** A room's texts by key, in every language. */
export type Words = Record<string, Record<Language, string>>;
export type Word = keyof typeof words;

const stored = "counterfoil-language";

/** Call it before the first render. */
export function openWords(all: Words): void {
	void i18next.use(initReactI18next).init({
		lng:
			localValues.read(stored) ??
			(navigator.language.startsWith("sw") ? "sw" : "en"),
		fallbackLng: "en",
		resources: {
			en: { translation: wordsIn("en", all) },
			sw: { translation: wordsIn("sw", all) },
		},
		// Dots in keys have no meaning.
		keySeparator: false,
		interpolation: { escapeValue: false },
	});
	document.documentElement.lang = i18next.language;
}

function wordsIn(language: Language, all: Words): Record<string, string> {
	return Object.fromEntries(
		Object.entries(all).map(([key, said]) => [key, said[language]]),
	);
}

/** Translates a key into the user's language; `count` picks the plural form. */
export type Say = (
	word: Word | Plural,
	values?: Record<string, string | number>,
) => string;
type Plural = Word extends infer W
	? W extends `${infer Stem}_one`
		? Stem
		: never
	: never;

export function useWords(): { say: Say; language: Language } {
	const { t, i18n } = useTranslation();
	return { say: t as unknown as Say, language: i18n.language as Language };
}

export function setLanguage(language: Language): void {
	localValues.write(stored, language);
	document.documentElement.lang = language;
	void i18next.changeLanguage(language);
}
