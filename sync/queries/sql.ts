import type { Connection, DbRow, Value } from "../store/store.ts";

/** An SQL text with the values of its placeholders in order. */
export interface Sql {
	text: string;
	params: readonly Value[];
}

/** Composes SQL: a fragment is inserted with its values, and any other value becomes a placeholder. */
export function sql(
	texts: readonly string[],
	...parts: readonly (Sql | Value)[]
): Sql {
	const fragments = parts.map((part) =>
		typeof part === "object" && part !== null
			? part
			: { text: "?", params: [part] },
	);
	return {
		text: texts.reduce((all, text, i) => all + fragments[i - 1]?.text + text),
		params: fragments.flatMap(({ params }) => params),
	};
}

/** A fixed part of a statement, such as a column's name. Never pass user input. */
export const raw = (text: string): Sql => ({ text, params: [] });

/** A list for `IN`, which must not be empty. */
export function valuesOf(values: readonly string[]): Sql {
	return {
		text: values.map(() => "?").join(", "),
		params: values,
	};
}

export const all = (tx: Connection, { text, params }: Sql): Promise<DbRow[]> =>
	tx.all(text, ...params);

export const run = (tx: Connection, { text, params }: Sql): Promise<number> =>
	tx.run(text, ...params);
