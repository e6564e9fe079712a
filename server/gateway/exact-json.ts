/** TypeScript's library doesn't know these yet (ECMAScript, "JSON.parse source text access"). */
declare global {
	interface JSON {
		rawJSON(text: string): unknown;
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
 * Like JSON.parse, but a number that has more digits than JavaScript's is kept as it is written: product codes of 20 digits
 * are. It goes into JSON.stringify unchanged.
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
