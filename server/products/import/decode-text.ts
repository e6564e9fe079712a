import { isUtf8 } from "node:buffer";
import { CsvFileError } from "../../../sync/protocol/csv-records.ts";

interface DecodedText {
	text: string;
	/** True if the file doesn't say how it is encoded, and isn't Unicode. */
	isWindows1252: boolean;
}

/** Of the first bytes, how many to look at for the zeros of UTF-16. */
const lookedAt = 1_000;
const ascii = /[\0-\x7f]/g;
/** A character of several bytes in UTF-8, in the text of its bytes. */
const utf8Character =
	/[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
// Bytes without a meaning in Windows-1252, and controls that no table has.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they show that a file is no text.
const noWindows1252 = /[\0-\x08\x0e-\x1f\x81\x8d\x8f\x90\x9d]/;

/**
 * Decodes a text file as spreadsheets save it: UTF-8, UTF-16 of either order, or Windows-1252, of which Latin-1 is a part.
 *
 * @throws CsvFileError if it is none of these, or UTF-8 that is damaged
 */
export function decodeText(bytes: Uint8Array): DecodedText {
	const unicode = utf16Of(bytes) ?? (isUtf8(bytes) ? "utf-8" : undefined);
	if (unicode) return { text: decode(unicode), isWindows1252: false };
	const text = Buffer.from(bytes).toString("latin1");
	const beyondAscii = text.replace(ascii, "");
	const others = beyondAscii.replace(utf8Character, "");
	if (others.length * 2 < beyondAscii.length || noWindows1252.test(text)) {
		const line = lineOfBadByte(bytes);
		throw new CsvFileError(
			`The file is not UTF-8 (line ${line}). Save it as "CSV UTF-8" and try again.`,
		);
	}
	return { text: decode("windows-1252"), isWindows1252: true };

	function decode(encoding: string): string {
		return new TextDecoder(encoding).decode(bytes);
	}
}

/** The byte order of UTF-16, by its mark, or by the zeros beside Latin letters and commas. */
function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
	const zeros = [0, 0];
	const begin = bytes.subarray(0, lookedAt);
	for (const [at, byte] of begin.entries())
		if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
	const [even = 0, odd = 0] = zeros;
	if (Math.max(even, odd) * 4 < begin.length) return undefined;
	return odd > even ? "utf-16le" : "utf-16be";
}

/** Finds the line by bisection: checking twenty million lines one by one would take half a minute. */
function lineOfBadByte(bytes: Uint8Array): number {
	/** The start of a line before which everything is valid. */
	let good = 0;
	/** No line starting later follows only valid text. */
	let last = bytes.length;
	while (good < last) {
		const middle = (good + last) >> 1;
		const next = bytes.indexOf(0x0a, middle) + 1;
		const isWell =
			next !== 0 && next <= last && isUtf8(bytes.subarray(good, next));
		if (isWell) good = next;
		else last = middle;
	}
	let line = 1;
	for (let at = bytes.indexOf(0x0a); at !== -1 && at < good; line += 1)
		at = bytes.indexOf(0x0a, at + 1);
	return line;
}
