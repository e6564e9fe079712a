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

/**
 * Parses JSON like JSON.parse, but keeps a number as written if a JavaScript number can't hold its digits, such as a
 * 20-digit product code. JSON.stringify writes it back unchanged.
 *
 * @throws SyntaxError
 */
export function parseJsonExactly(text: string): unknown {
	return long.test(text)
		? JSON.parse(text, (_key, value, { source }) =>
				typeof value === "number" &&
				source !== undefined &&
				/^-?\d+$/.test(source) &&
				!Number.isSafeInteger(value)
					? JSON.rawJSON(source)
					: value,
			)
		: JSON.parse(text);
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
