/** Letters that aren't a plain letter with a mark, although people type them as one. */
const likeLetters: Readonly<Record<string, string>> = {
	...{ ß: "ss", æ: "ae", œ: "oe", þ: "th" },
	...{ ø: "o", ł: "l", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t" },
	// Greek writes sigma differently at the end of a word, which need not be the end of the search text.
	ς: "σ",
};
const likeLetter = new RegExp(`[${Object.keys(likeLetters).join("")}]`, "g");

/**
 * Normalizes a name for search and sorting, in every alphabet: one case, and no accents on Latin and Greek letters. Marks of
 * other alphabets tell letters apart and stay.
 */
export function searchable(value: string): string {
	return value
		.normalize("NFKC")
		.toLowerCase()
		.normalize("NFD")
		.replace(/([a-zα-ω])[\u0300-\u036f]+/g, "$1")
		.normalize("NFC")
		.replace(likeLetter, (letter) => likeLetters[letter] ?? letter);
}
