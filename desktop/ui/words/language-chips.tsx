import { Chips } from "../components/chips.tsx";
import { languages, setLanguage, useWords } from "./index.ts";

/** Chooses the app's language; each is offered in its own words. */
export function LanguageChips() {
	const { say, language } = useWords();
	return (
		<Chips
			label={say("app.language")}
			choices={Object.entries(languages).map(([value, label]) => ({
				value: value as typeof language,
				label,
			}))}
			value={language}
			onChange={setLanguage}
		/>
	);
}
