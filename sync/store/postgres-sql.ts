import type { CustomTypesConfig } from "pg";

/**
 * The program has a finite set of SQL texts. Any more than this are not prepared, so that a connection's memory is
 * bounded.
 */
const statementsMax = 1_000;

export interface Statement {
	text: string;
	/** The name of the prepared statement. Absent beyond the limit. */
	name?: string;
}

const statements = new Map<string, Statement>();

/** Translates an SQL text with `?` to PostgreSQL's `$1`, `$2` … */
export function statementOf(sql: string): Statement {
	const known = statements.get(sql);
	if (known) return known;
	const text = toNumbered(sql);
	if (statements.size >= statementsMax) return { text };
	const statement = { text, name: `c${statements.size + 1}` };
	statements.set(sql, statement);
	return statement;
}

/** Question marks in quotes are not parameters. `json_each` has another name in PostgreSQL. */
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
 * Translates the schema. Text is compared byte by byte, as SQLite does, whatever the database's locale: order, pages and digests of both stores
 * are then equal, and an index serves a prefix search.
 */
export function toPostgresSchema(sql: string): string {
	return sql
		.replaceAll(trigger, toPostgresTrigger)
		.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
		.replaceAll(") WITHOUT ROWID", ")");
}

const trigger =
	/CREATE TRIGGER (\w+) (AFTER [^;]*? ON \w+)(?:\s+WHEN ([^;]*?))?\s+BEGIN\s+([^;]*;)\s+END;/g;

/** PostgreSQL's triggers call a function. */
function toPostgresTrigger(
	_sqlite: string,
	name: string,
	event: string,
	when: string | undefined,
	body: string,
): string {
	const condition = when
		? `WHEN (${when.replaceAll(/\bIS NOT\b/g, "IS DISTINCT FROM")})`
		: "";
	return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$;
CREATE TRIGGER ${name} ${event} FOR EACH ROW ${condition} EXECUTE FUNCTION ${name}();`;
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
	// Exact up to 2^53, as in SQLite; the code that adds keeps sums below. A sum is a `numeric`.
	[int8, Number],
	[int4, Number],
	[int2, Number],
	[numeric, Number],
	[float4, Number],
	[float8, Number],
	// As SQLite has it.
	[bool, (text) => (text === "t" ? 1 : 0)],
]);

/** Parsers for the column types that the store's interface knows: text, numbers and null. */
export const types: CustomTypesConfig = {
	getTypeParser: (oid) => (parsers.get(oid) ?? toText) as never,
};
