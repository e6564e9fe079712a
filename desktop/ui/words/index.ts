import i18next, { type FormatterModule } from "i18next";
import { useSyncExternalStore } from "react";
import type { adminWords } from "../admin/words.ts";
import type { aiWords } from "../ai/words.ts";
import type { notificationsWords } from "../notifications/words.ts";
import type { operatorWords } from "../operator/words.ts";
import type { words } from "../pages.ts";
import { localValues } from "../stored-values.ts";

/** Languages that every room's words have, so that the app opens in them at once. */
type OwnLanguage = "en" | "sw";

/** Further languages, each in one file that is loaded when it is chosen. */
const further = {
	fr: async () => (await import("./fr.ts")).fr,
};

/** All languages by code, each in its own words. */
export const languages = {
	en: "English",
	sw: "Kiswahili",
	fr: "Français",
} satisfies Record<OwnLanguage | keyof typeof further, string>;
type Language = keyof typeof languages;

/** A room's texts by key. */
export type Words = Record<string, Record<OwnLanguage, string>>;
export type Word =
	| keyof typeof words
	// They are loaded with their rooms.
	| keyof typeof adminWords
	| keyof typeof aiWords
	| keyof typeof notificationsWords
	| keyof typeof operatorWords;
/** A further language's text for each key of all rooms, and for plural forms that English lacks. */
export type Translation = Record<Word, string> &
	Partial<
		Record<`${Plural}_${Exclude<Intl.LDMLPluralRule, "one" | "other">}`, string>
	>;

const stored = "counterfoil-language";

/** Call it before the first render. */
export async function openWords(all: Words): Promise<void> {
	void i18next.use(numberFormatter).init({
		lng: "en",
		fallbackLng: "en",
		resources: {
			en: { translation: wordsIn("en", all) },
			sw: { translation: wordsIn("sw", all) },
		},
		// Dots in keys have no meaning.
		keySeparator: false,
		interpolation: { escapeValue: false, alwaysFormat: true },
	});
	try {
		await show(wanted());
	} catch (error) {
		console.error(
			"A language can't be loaded; the app opens in English",
			error,
		);
	}
}

/** Adds the texts of a room that few people open, when its page is loaded. */
export function addWords(room: Words): void {
	for (const language of ["en", "sw"] as const) {
		const texts = wordsIn(language, room);
		i18next.addResourceBundle(language, "translation", texts);
	}
}

/** Writes the numbers in texts as the language does; the plural form is chosen by the number itself. */
const numberFormatter: FormatterModule = {
	type: "formatter",
	init() {},
	add() {},
	addCached() {},
	format: (value, _, language) =>
		typeof value === "number"
			? value.toLocaleString(localeOf(language), { maximumFractionDigits: 6 })
			: value,
};

/** The user's own variety of English; bare "en" would mean the United States'. */
export function localeOf(language = "en"): string {
	if (language !== "en") return language;
	return /^en-/.test(navigator.language) ? navigator.language : "en-GB";
}

/** Whether the language shown writes fifteen hundred as "1,500". */
export function groupsByComma(): boolean {
	return (1e3).toLocaleString(localeOf(i18next.language)).includes(",");
}

/** The language chosen on this device, or else the browser's. */
function wanted(): Language {
	const named = [localValues.read(stored), navigator.language.slice(0, 2)];
	return named.find(isLanguage) ?? "en";
}

function isLanguage(named: string | null): named is Language {
	return named !== null && named in languages;
}

function wordsIn(language: OwnLanguage, all: Words): Record<string, string> {
	return Object.fromEntries(
		Object.entries(all).map(([key, said]) => [key, said[language]]),
	);
}

async function show(language: Language): Promise<void> {
	if (!i18next.hasResourceBundle(language, "translation")) {
		const load = further[language as keyof typeof further];
		i18next.addResourceBundle(language, "translation", await load());
	}
	document.documentElement.lang = language;
	await i18next.changeLanguage(language);
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

/** For code outside components, which shows its words once. */
export const say: Say = i18next.t as unknown as Say;

interface Shown {
	say: Say;
	language: Language;
}

let shown: Shown | undefined;

const listeners = new Set<() => void>();
i18next.on("languageChanged", () => {
	for (const listener of listeners) listener();
});

const onLanguage = (listener: () => void) => {
	listeners.add(listener);
	return () => {
		listeners.delete(listener);
	};
};

/** The same object until the language changes, since most components of a page ask for it. */
function wordsNow(): Shown {
	const language = i18next.language as Language;
	if (shown?.language !== language)
		shown = {
			say: kept(i18next.getFixedT(language) as unknown as Say),
			language,
		};
	return shown;
}

/** Keeps texts without values, which i18next makes again each time: a page asks for hundreds whenever it is drawn. */
function kept(make: Say): Say {
	const texts = new Map<string, string>();
	return (word, values) => {
		if (values) return make(word, values);
		const text = texts.get(word) ?? make(word);
		texts.set(word, text);
		return text;
	};
}

export function useWords(): Shown {
	return useSyncExternalStore(onLanguage, wordsNow);
}

export function setLanguage(language: Language): void {
	localValues.write(stored, language);
	void show(language);
}
