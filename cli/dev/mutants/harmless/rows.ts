import type { Harmless } from "../harmless.ts";

/** Of rows in and out of tables, and of the sums over them. */
export const ofRows: readonly Harmless[] = [
	{
		file: "rows/rows.ts",
		code: "if (!byWhere) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: "selects.set(entity, byWhere);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: "if (sql === undefined) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: "byWhere.set(where, sql);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "-1 -> 1",
		reason: "any of the ids fills the place",
	},
	{
		file: "rows/rows.ts",
		code: "ids.push(ids.at(-1) as string);",
		change: "1 -> 2",
		reason: "any of the ids fills the place",
	},
	{
		file: "rows/rows.ts",
		code: "const linesChunk = 100",
		reason: "lines are read with a query more or less",
	},
	{
		file: "rows/rows.ts",
		code: "if (!writer) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: "writers.set(entity, writer);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/rows.ts",
		code: ".filter((name) => !keys.includes(name))",
		reason: "a key is set to what it is",
	},
	{
		file: "rows/rows.ts",
		code: "additions.set(key, sql);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/columns.ts",
		code: "if (!columns) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows/columns.ts",
		code: "columnsBySchema.set(schema, columns);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/columns.ts",
		code: "if (column === undefined) {",
		change: "-> true",
		reason: "what is kept is made again, the same",
	},
	{
		file: "rows/columns.ts",
		code: "columnsByField.set(field, column);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/columns.ts",
		code: "entityColumns.set(entity, columns);",
		reason: "what is not kept is made again, the same",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "if (fields.size === 0) continue;",
		change: "-> false",
		reason: "what stands there is written once more",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "const sums = sumsByEntity.get(entity) ?? new Map",
		reason: "each sum is then written by itself, to the same end",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "sumsByEntity.set(entity, sums);",
		reason: "each sum is then written by itself, to the same end",
	},
	{
		file: "rows/buffered-increments.ts",
		code: "if (at > (row.updatedAt as string)) row.updatedAt = at;",
		change: "> -> >=",
		reason: "the moment that is there is set once more",
	},
	{
		file: "rows/context.ts",
		code: "winning.updatedAt = updatedAt > at ? updatedAt : at;",
		change: "> -> >=",
		reason: "either is the same moment",
	},
	{
		file: "queries/tallies.ts",
		code: "const tailMax = 200",
		reason: "a tail that is one longer is folded, to the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "const foldMax = ",
		reason:
			"facts are folded in one transaction more or less, to the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "const tail = newest - (tallies?.version ?? 0);",
		change: "0 -> 1",
		reason: "a tail that is one longer is folded, to the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "tail <= tailMax && (tallies",
		change: "<= -> <",
		reason: "a tail that is one shorter is folded, to the same sums",
	},
	{
		file: "queries/tallies.ts",
		code: "if (windowDay !== today)",
		change: "-> true",
		reason: "no days leave and none enter where the window stays",
	},
	{
		file: "entities/money.ts",
		code: "if (!Number.isSafeInteger(next))",
		change: "-> true",
		reason: "the long way round gives the same sum",
	},
	{
		file: "entities/refund.ts",
		code: "moved.version = sales.version",
		change: "moved.version = sales.version ->",
		reason:
			"the version only leads to the rows by an index; sale and line name the same ones",
	},
	{
		file: "queries/tallies.ts",
		code: "(a < b ? a : b)",
		change: "< -> <=",
		reason: "between equal days there is no earlier one",
	},
	{
		file: "queries/tallies.ts",
		code: "(a > b ? a : b)",
		change: "> -> >=",
		reason: "between equal days there is no later one",
	},
	{
		file: "queries/tallies.ts",
		code: "tallies?.version ?? 0",
		change: "0 -> 1",
		reason: "a shop's first version is the shop itself, and no sale",
	},
	{
		file: "queries/tallies.ts",
		code: "(await readTallies(tx, businessId))?.version ?? 0",
		change: "0 -> 1",
		reason: "a shop's first version is the shop itself, and no sale",
	},
	{
		file: "queries/tallies.ts",
		code: "from < to",
		change: "< -> <=",
		reason: "a window is moved to another day alone",
	},
];
