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
	return withTimes(sql).replaceAll(
		/'[^']*'|"[^"]*"|json_each\(\?\)|\?/g,
		(found) => {
			if (/^['"]/.test(found)) return found;
			count += 1;
			return found === "?"
				? `$${count}`
				: `json_array_elements_text($${count}::json)`;
		},
	);
}

/** What SQLite's functions of time are called in PostgreSQL: from and to seconds since 1970, and to a day. */
const times: readonly [RegExp, string][] = [
	[
		/unixepoch\(([\w.]+)\)/g,
		"CAST(floor(extract(epoch FROM CAST($1 AS TIMESTAMP))) AS BIGINT)",
	],
	[
		/strftime\('%Y-%m-%dT%H:%M:%fZ', (.+?) \/ 1000\.0, 'unixepoch'\)/g,
		`to_char(to_timestamp($1 / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C"`,
	],
	[
		/date\((.+?) \* 86400, 'unixepoch'\)/g,
		`to_char(DATE '1970-01-01' + CAST($1 AS INTEGER), 'YYYY-MM-DD') COLLATE "C"`,
	],
];

const withTimes = (sql: string) =>
	times.reduce(
		(sql, [sqlite, postgres]) => sql.replaceAll(sqlite, postgres),
		sql,
	);

/**
 * Translates the schema. Text is compared byte by byte, as SQLite does, whatever the database's locale: order, pages and digests of both stores
 * are then equal, and an index serves a prefix search.
 */
export function toPostgresSchema(sql: string): string {
	return withTimes(sql)
		.replaceAll(trigger, toPostgresTrigger)
		.replaceAll(/DROP TRIGGER (\w+);/g, "DROP FUNCTION $1() CASCADE;")
		.replaceAll(/(?<!AS )\bTEXT\b/g, 'TEXT COLLATE "C"')
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
	return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$;
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
