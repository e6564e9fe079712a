import type { Option } from "../components/select-field.tsx";

/** The currencies where most shops are, offered first. */
const near = ["KES", "TZS", "UGX"];

/** All currencies by their names in the user's language, with the code that receipts show. */
export function currencyChoices(language: string): Option[] {
	const names = new Intl.DisplayNames(language, { type: "currency" });
	return Intl.supportedValuesOf("currency")
		.map((value) => {
			const name = names.of(value) ?? value;
			return { value, label: name === value ? value : `${name} (${value})` };
		})
		.toSorted((a, b) => a.label.localeCompare(b.label, language));
}

/** The few that a new shop chooses from at once; the guess comes first. */
export function nearCurrencies(guess: string): string[] {
	return [...new Set([guess, ...near])].slice(0, near.length);
}

export function ownTimeZone(): string {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A first guess, for the time zones where most shops are. */
export function currencyOf(timeZone: string): string {
	const guesses: Record<string, string> = {
		"Africa/Dar_es_Salaam": "TZS",
		"Africa/Kampala": "UGX",
		"Africa/Kigali": "RWF",
	};
	return guesses[timeZone] ?? (timeZone.startsWith("Europe/") ? "EUR" : "KES");
}
