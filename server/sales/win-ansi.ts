/** The letters of WinAnsiEncoding (ISO 32000-1, annex D), in which PDF's standard fonts are encoded. */
const encoded = /[ -~\u00A0-ÿ€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n]/u;
const letters = /\P{M}\p{M}*/gu;

/**
 * Writes a text with the letters of PDF's standard fonts: without accents that they lack, as in `Mũthĩga`, and with a
 * question mark for a letter of another script.
 *
 * @param onLost called if a letter became a question mark
 */
export function toWinAnsi(text: string, onLost: () => void): string {
	return text
		.normalize("NFC")
		.replaceAll("−", "-")
		.replaceAll("\u202F", " ")
		.replace(letters, (letter) => {
			if (letter.length === 1 && encoded.test(letter)) return letter;
			const [bare = ""] = letter.normalize("NFD");
			if (encoded.test(bare)) return bare;
			if (/\p{Cc}/u.test(letter)) return " ";
			onLost();
			return "?";
		});
}
