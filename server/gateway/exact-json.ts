import { randomUUID } from "node:crypto";

/** Missing from TypeScript's library so far (ECMAScript, "JSON.parse source text access"). */
declare global {
	interface JSON {
		rawJSON(text: string): unknown;
		isRawJSON(value: unknown): boolean;
		parse(
			text: string,
			reviver: (
				key: string,
				value: unknown,
				context: { source?: string },
			) => unknown,
		): unknown;
	}
}

const long = /\d{16}/;
/** An integer outside strings that may have too many digits. */
const longInteger = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON like JSON.parse, but keeps a number as written if a JavaScript number can't hold its digits, such as a
 * 20-digit product code. JSON.stringify writes it back unchanged.
 *
 * @throws SyntaxError
 */
export function parseJsonExactly(text: string): unknown {
	const value = JSON.parse(text);
	if (!long.test(text)) return value;
	// A reviver would take fifty times as long, and a caller chooses how long the text is.
	const mark = randomUUID();
	const kept: string[] = [];
	const marked = mapOutsideStrings(text, (piece) =>
		piece.replaceAll(longInteger, (digits) => {
			if (Number.isSafeInteger(Number(digits))) return digits;
			kept.push(digits);
			return `"${mark}${kept.length - 1}"`;
		}),
	);
	return kept.length === 0 ? value : restore(JSON.parse(marked), mark, kept);
}

function mapOutsideStrings(text: string, map: (piece: string) => string) {
	const pieces: string[] = [];
	for (let at = 0; at < text.length; ) {
		const quote = text.indexOf('"', at);
		if (quote < 0) return pieces.join("") + map(text.slice(at));
		const after = endOfString(text, quote);
		pieces.push(map(text.slice(at, quote)), text.slice(quote, after));
		at = after;
	}
	return pieces.join("");
}

/** @param quote where it begins, in valid JSON */
function endOfString(text: string, quote: number): number {
	for (let end = quote; ; ) {
		end = text.indexOf('"', end + 1);
		let before = end - 1;
		while (text[before] === "\\") before -= 1;
		if ((end - before) % 2 === 1) return end + 1;
	}
}

function restore(value: unknown, mark: string, kept: readonly string[]) {
	function walk(one: unknown): unknown {
		if (typeof one === "string")
			return one.startsWith(mark)
				? JSON.rawJSON(kept[Number(one.slice(mark.length))] ?? "null")
				: one;
		if (typeof one !== "object" || one === null) return one;
		const fields = one as Record<string, unknown>;
		for (const name of Object.keys(fields)) {
			const before = fields[name];
			const after = walk(before);
			if (after !== before) fields[name] = after;
		}
		return one;
	}
	return walk(value);
}

/** @returns undefined for a text that isn't JSON */
export function parseJson(text: string): unknown {
	try {
		return parseJsonExactly(text);
	} catch {
		// The caller reports the fault.
		return undefined;
	}
}
