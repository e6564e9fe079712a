import type { Harmless } from "../harmless.ts";

/** Equivalent mutants of the log, its dates, devices and queries. */
export const ofLog: readonly Harmless[] = [
	{
		file: "log/log.ts",
		code: "if (head !== before)",
		change: "-> true",
		reason: "the same head is written again",
	},
	{
		file: "log/log.ts",
		code: "let hasWritten = false",
		reason: "the batch is repeated with savepoints, with the same result",
	},
	{
		file: "log/log.ts",
		code: "if ((hasWritten || isFault) && !recording.isolate)",
		change: "-> (!recording.isolate)",
		reason: "the batch is repeated with savepoints, with the same result",
	},
	{
		file: "log/log.ts",
		code: "increments,",
		reason: "sums are written one by one, with the same result",
	},
	{
		file: "entities/parse-args.ts",
		code: "throw error;",
		reason: "a parser only throws errors of zod",
	},
	{
		file: "entities/parse-args.ts",
		code: "if (error instanceof z.ZodError)",
		change: "-> true",
		reason: "a parser only throws errors of zod",
	},
	{
		file: "log/dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: "- -> +",
		reason:
			"a recent time is never before a noted one, as the query then finds",
	},
	{
		file: "log/dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: ">= -> >",
		reason:
			"a recent time is never before a noted one, as the query then finds",
	},
	{
		file: "log/dating.ts",
		code: "if (isRecent)",
		change: "-> false",
		reason:
			"a recent time is never before a noted one, as the query then finds",
	},
	{
		file: "log/dating.ts",
		code: "if (ms > now) return",
		change: "> -> >=",
		reason: "the current time is the same either way",
	},
	{
		file: "protocol/clock.ts",
		code: "const day = new Date(0)",
		change: "0 -> 1",
		reason: "a millisecond of a date that is then overwritten",
	},
	{
		file: "protocol/clock.ts",
		code: "if (!format)",
		change: "-> true",
		reason: "the same format is created again",
	},
	{
		file: "protocol/clock.ts",
		code: "formatsByZone.set(timeZone, format)",
		reason: "the same format is created again",
	},
	{
		file: "log/devices.ts",
		code: "if (number > last && follows)",
		change: "> -> >=",
		reason: "a device uses each number once",
	},
	{
		file: "log/lost-facts.ts",
		code: "const pageRows",
		change: "200 -> 201",
		reason: "the same rows are read, with one more per page",
	},
	{
		file: "log/lost-history.ts",
		code: "(await isGone(tx, businessId, request))",
		change: "await isGone",
		reason: "the caller awaits a returned promise",
	},
	{
		file: "log/verify-log.ts",
		code: "pageRows = 5_000",
		change: "5_000 -> 5001",
		reason: "the same mutations are read, with one more per page",
	},
	{
		file: "protocol/ids.ts",
		code: "const poolBytes = 4_096",
		reason:
			"only the number of random bytes per request changes; none is used twice",
	},
	{
		file: "protocol/clock.ts",
		code: "Number(quarter.slice(14, 16))",
		change: "16 -> 17",
		reason: "a quarter of an hour ends at that value",
	},
	{
		file: "protocol/ids.ts",
		code: "if (count > poolBytes)",
		change: "-> true",
		reason: "random bytes either way, requested more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (count > poolBytes)",
		change: "> -> >=",
		reason: "random bytes either way, requested more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (pool.length < count)",
		change: "-> true",
		reason: "random bytes either way, requested more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (pool.length < count)",
		change: "< -> <=",
		reason: "random bytes either way, requested more often",
	},
	{
		file: "protocol/json.ts",
		code: 'if (typeof field === "object" && !isSorted',
		change: "-> (!isSorted(field, depth + 1))",
		reason: "a value that isn't an object counts as sorted",
	},
];
