/**
 * Tokens per character for each script, by vocabulary. `typical` is for natural text; `most` is for letters in random
 * order, the worst case found, with a margin. Measured with o200k (OpenAI's since GPT-4o) and cl100k, which is smaller than
 * the vocabularies of all listed models.
 */
export type Vocabulary = "o200k" | "other";

export interface Density {
	typical: number;
	most: number;
}

/** Tokens per character, or per word where stated. */
type Densities = Record<Vocabulary, Density>;

const of = (
	typical: number,
	most: number,
	otherTypical: number,
	otherMost: number,
): Densities => ({
	o200k: { typical, most },
	other: { typical: otherTypical, most: otherMost },
});

/** Latin letters; a word is at least one token. */
export const latinLetter = of(0.25, 0.62, 0.27, 0.7);
/**
 * What a letter counts more where almost all words end in a vowel, as in Swahili and its relatives: vocabularies hold few of
 * their long words.
 */
export const vowelEnded = of(0.095, 0, 0.14, 0);
/** Vocabularies group digits in threes, or not at all. */
export const threeDigits = of(1, 1, 2.4, 3);
export const punctuation = of(0.46, 0.8, 0.46, 0.9);
/** Spaces besides the one before a word, which is part of the word's token. */
export const space = of(0.4, 1, 0.4, 1);

/** Sorted by each block's first code unit. */
const blocks: [from: number, densities: Densities][] = [
	[0, of(1, 1.3, 1, 1.3)], // control characters
	[0x80, of(0.45, 1.1, 0.6, 1.3)], // accented Latin
	[0x180, of(1, 2, 1.2, 2)],
	[0x370, of(0.3, 0.85, 0.4, 1.1)], // Greek, Cyrillic
	[0x460, of(0.7, 2, 0.9, 2)],
	[0x590, of(0.38, 0.85, 0.55, 1.2)], // Hebrew, Arabic
	[0x700, of(1.5, 3, 2, 3)],
	[0x900, of(0.4, 1.05, 0.65, 2)], // Devanagari
	[0x980, of(0.5, 1.8, 0.9, 2.6)], // other Indic scripts
	[0xe00, of(0.48, 1.1, 0.7, 2)], // Thai, Lao
	[0xf00, of(1.5, 3, 2, 3)],
	[0x3040, of(0.7, 1.2, 0.8, 1.6)], // kana
	[0x3100, of(0.8, 2.1, 0.95, 2.7)], // Chinese characters
	[0xac00, of(0.95, 2.3, 1.4, 3)], // Hangul
	[0xd7b0, of(1.2, 2, 1.5, 2)], // surrogate halves, such as in emoji: two bytes each
	[0xe000, of(1.5, 3, 2, 3)],
];

/** A block's first code unit, and its number in order. */
interface Block extends Densities {
	first: number;
	position: number;
}

/** By a code unit's upper twelve bits, since a lookup for each character has to be fast and no block begins elsewhere. */
const blockBySixteen: Block[] = [];
for (const [position, [first, densities]] of blocks.entries()) {
	const end = blocks[position + 1]?.[0] ?? 0x10000;
	const block = { ...densities, first, position };
	for (let at = first; at < end; at += 16) blockBySixteen.push(block);
}

/** @param code a UTF-16 code unit */
export function blockOf(code: number): Block {
	return blockBySixteen[code >> 4] as Block;
}
