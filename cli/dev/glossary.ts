/** A word or phrase that the glossary bans, and what to write instead. */
interface Ban {
	word: string;
	instead: string;
}

/**
 * Reads the bans from the glossary's tables: what stands in `code` in the last column, whose header is "avoid".
 *
 * @param glossary the text of docs/glossary.md
 */
export function bansOf(glossary: string): Ban[] {
	const rows = glossary
		.split("\n")
		.filter((line) => line.startsWith("|"))
		.map((line) => line.split("|").slice(1, -1));
	return rows.flatMap((cells) => {
		const avoid = cells.at(-1) ?? "";
		const instead = (cells[0] ?? "").trim();
		return [...avoid.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => ({
			word,
			instead,
		}));
	});
}

/**
 * Makes a search for banned words, also inside names: `deadLetters`, `dead_letter` and `dead-letter` all hold "dead letter".
 *
 * @returns a function that lists the banned words of a text, each as `line: "word"; write …`
 */
export function openBanSearch(
	bans: readonly Ban[],
): (text: string) => string[] {
	const insteadOf = new Map(
		bans.map(({ word, instead }) => [word.toLowerCase(), instead]),
	);
	const gap = "[\\s_/*#-]+";
	const any = bans.map(({ word }) => word.replaceAll(" ", gap)).join("|");
	const banned = new RegExp(`(?<![a-z])(?:${any})s?(?![a-z])`, "gi");
	return (text) => {
		const words = text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ");
		return [...words.matchAll(banned)].map(({ 0: found, index }) => {
			const word = found.replaceAll(new RegExp(gap, "g"), " ").toLowerCase();
			const instead = insteadOf.get(word) ?? insteadOf.get(word.slice(0, -1));
			const line = words.slice(0, index).split("\n").length;
			return `${line}: "${word}"; write ${instead}`;
		});
	};
}
