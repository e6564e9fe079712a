import type { Change } from "./operators.ts";

/** Words that occur only in SQL. */
const isSql =
	/\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY|LEFT JOIN|UNION ALL|GROUP BY|HAVING)\b|\b(AND|SET)\b .*[=<>]|\?/;
const value = "(?:\\?|'[^']*'|[\\w.]+)";

interface Rule {
	find: RegExp;
	/** @param found the match of the expression */
	replace(found: RegExpExecArray): string[];
}

const rules: Rule[] = [
	// Make a condition always true; its parameters stay.
	{
		find: new RegExp(`[\\w.]+ (?:=|<>|<=|>=|<|>) ${value}(?![\\w(])`, "g"),
		replace: ({ 0: all }) => [`(${all} OR 1 = 1)`],
	},
	{ find: / <= /g, replace: () => [" < "] },
	{ find: / >= /g, replace: () => [" > "] },
	{ find: / < /g, replace: () => [" <= "] },
	{ find: / > /g, replace: () => [" >= "] },
	{ find: / <> /g, replace: () => [" = "] },
	{ find: / OR /g, replace: () => [" AND "] },
	{ find: / DESC\b/g, replace: () => [""] },
	{ find: / ORDER BY [\w., ]+?(?=( LIMIT|\)|"|`|$))/g, replace: () => [""] },
	{ find: /\bmin\(/g, replace: () => ["max("] },
	{ find: /\bmax\(/g, replace: () => ["min("] },
	{ find: /\bsum\(/g, replace: () => ["max("] },
	{ find: / \+ /g, replace: () => [" - "] },
	{ find: / - /g, replace: () => [" + "] },
	{ find: / \* /g, replace: () => [" + "] },
	{ find: /\bLEFT JOIN\b/g, replace: () => ["JOIN"] },
	{ find: /\bIS NULL\b/g, replace: () => ["IS NOT NULL"] },
	{ find: /\bIS NOT NULL\b/g, replace: () => ["IS NULL"] },
	{ find: /'[^']+'/g, replace: () => ["'x'"] },
	// Not LIMIT 1, whose callers take the first row anyway, nor SELECT 1, whose callers only check that a row exists.
	{
		find: /(?<= )(?<!LIMIT (?=1\b)|SELECT )\d+\b/g,
		replace: ({ 0: all }) => [String(Number(all) + 1)],
	},
	// An assignment of an UPDATE, if it has no parameter.
	{
		find: /, \w+ = (?:NULL|'[^']*'|\d+)/g,
		replace: () => [""],
	},
	{ find: /(?<=SET )\w+ = (?:NULL|'[^']*'|\d+), /g, replace: () => [""] },
];

/** Whether a position is after WHERE; assignments before it are not conditions. */
function isCondition(text: string, at: number): boolean {
	const before = text.slice(0, at);
	const set = before.lastIndexOf("SET ");
	return (
		set === -1 ||
		Math.max(before.lastIndexOf("WHERE"), before.lastIndexOf("WHEN")) > set
	);
}

/** @returns all changes of SQL text in a program */
export function sqlChanges(text: string): Change[] {
	if (!isSql.test(text)) return [];
	const changes: Change[] = [];
	for (const [i, { find, replace }] of rules.entries())
		for (const found of text.matchAll(find)) {
			if (i === 0 && !isCondition(text, found.index)) continue;
			for (const replaced of replace(found))
				changes.push({
					start: found.index,
					end: found.index + found[0].length,
					text: replaced,
				});
		}
	return changes;
}
