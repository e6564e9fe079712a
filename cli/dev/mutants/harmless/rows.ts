import type { Harmless } from "../harmless.ts";

/** Equivalent mutants of reading and writing rows, and of tallies. */
export const ofRows: readonly Harmless[] = [
	{
		file: "rows/rows.ts",
		code: "if (!byWhere) {",
		change: "-> true",
		reason: "a cached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: "selects.set(entity, byWhere);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: "if (sql === undefined) {",
		change: "-> true",
		reason: "a cached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: "byWhere.set(where, sql);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "-1 -> 1",
		reason: "any id can fill the placeholder",
	},
	{
		file: "rows/rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "1 -> 2",
		reason: "any id can fill the placeholder",
	},
	{
		file: "rows/rows.ts",
		code: "const linesChunk = 100",
		reason: "lines are read with one query more or less",
	},
	{
		file: "rows/rows.ts",
		code: "if (!writer) {",
		change: "-> true",
		reason: "a cached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: "writers.set(entity, writer);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/rows.ts",
		code: ".filter((name) => !keys.includes(name))",
		reason: "a key is set to its own value",
	},
	{
		file: "rows/rows.ts",
		code: "additions.set(key, sql);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/columns.ts",
		code: "if (!columns) {",
		change: "-> true",
		reason: "a cached value is computed again",
	},
	{
		file: "rows/columns.ts",
		code: "columnsBySchema.set(schema, columns);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/columns.ts",
		code: "if (column === undefined) {",
		change: "-> true",
		reason: "a cached value is computed again",
	},
	{
		file: "rows/columns.ts",
		code: "columnsByField.set(field, column);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/columns.ts",
		code: "entityColumns.set(entity, columns);",
		reason: "an uncached value is computed again",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "if (fields.size === 0) continue;",
		change: "-> false",
		reason: "the stored value is written again",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "const sums = sumsByEntity.get(entity) ?? new Map",
		reason: "each sum is written separately, with the same result",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "sumsByEntity.set(entity, sums);",
		reason: "each sum is written separately, with the same result",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "if (at > (row.updatedAt as string)) row.updatedAt = at;",
		change: "> -> >=",
		reason: "the same time is set again",
	},
	{
		file: "rows/context.ts",
		code: "winning.updatedAt = updatedAt > at ? updatedAt : at;",
		change: "> -> >=",
		reason: "both are the same time",
	},
	{
		file: "queries/tallies.ts",
		code: "const tailMax = 200",
		reason: "a tail longer by one is folded, with the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "const foldMax = ",
		reason:
			"facts are folded in one transaction more or less, with the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "const tail = newest - (tallies?.version ?? 0);",
		change: "0 -> 1",
		reason: "a tail longer by one is folded, with the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "tail <= tailMax && (tallies",
		change: "<= -> <",
		reason: "a tail shorter by one is folded, with the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "if (windowDay !== today)",
		change: "-> true",
		reason: "an unmoved window gains and loses no days",
	},
	{
		file: "entities/money.ts",
		code: "if (!Number.isSafeInteger(next))",
		change: "-> true",
		reason: "the slow path gives the same sum",
	},
	{
		file: "queries/tallies.ts",
		code: "(a < b ? a : b)",
		change: "< -> <=",
		reason: "of two equal days neither is earlier",
	},
	{
		file: "queries/tallies.ts",
		code: "(a > b ? a : b)",
		change: "> -> >=",
		reason: "of two equal days neither is later",
	},
	{
		file: "queries/tallies.ts",
		code: "tallies?.version ?? 0",
		change: "0 -> 1",
		reason: "a shop's first version is the shop itself, not a sale",
	},
	{
		file: "queries/tallies.ts",
		code: "(await readTallies(tx, businessId))?.version ?? 0",
		change: "0 -> 1",
		reason: "a shop's first version is the shop itself, not a sale",
	},
	{
		file: "queries/tallies.ts",
		code: "from < to",
		change: "< -> <=",
		reason: "a window only moves to another day",
	},
];
