import type { CustomTypesConfig } from "pg";

/** SQL texts are finite by design: what comes after these is not prepared, so that no connection holds ever more. */
const statementsMax = 1_000;

export interface Statement {
	text: string;
	/** Under which a connection prepares it once; none for one too many. */
	name?: string;
}

const statements = new Map<string, Statement>();

/** What PostgreSQL is sent for a text with `?`: `$1`, `$2` … */
export function statementOf(sql: string): Statement {
	const known = statements.get(sql);
	if (known) return known;
	const text = toNumbered(sql);
	if (statements.size >= statementsMax) return { text };
	const statement = { text, name: `c${statements.size + 1}` };
	statements.set(sql, statement);
	return statement;
}

/** Question marks in quotes are not parameters. A JSON list of texts has another function here than in SQLite. */
function toNumbered(sql: string): string {
	let count = 0;
	return sql.replaceAll(/'[^']*'|"[^"]*"|json_each\(\?\)|\?/g, (found) => {
		if (/^['"]/.test(found)) return found;
		count += 1;
		return found === "?"
			? `$${count}`
			: `json_array_elements_text($${count}::json)`;
	});
}

/**
 * Text is compared byte by byte, as SQLite does it, whatever the database's language: order, pages and digests of both
 * are then the same, and an index serves a search by first letters.
 */
export function toPostgresSchema(sql: string): string {
	return sql.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}

const int8 = 20;
const int2 = 21;
const int4 = 23;
const float4 = 700;
const float8 = 701;
const numeric = 1700;
const bool = 16;

const toText = (text: string) => text;
const parsers = new Map<number, (text: string) => unknown>([
	// Like SQLite's, these are exact up to 2^53, and whoever adds sees to it that they stay below. A sum is a `numeric`.
	[int8, Number],
	[int4, Number],
	[int2, Number],
	[numeric, Number],
	[float4, Number],
	[float8, Number],
	// As SQLite has it.
	[bool, (text) => (text === "t" ? 1 : 0)],
]);

/** Columns hold what the port knows: text, numbers and nothing. */
export const types: CustomTypesConfig = {
	getTypeParser: (oid) => (parsers.get(oid) ?? toText) as never,
};
