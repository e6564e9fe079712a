import type { Harmless } from "../harmless.ts";

/** Of the log: its dates, its devices, and what is looked up in it. */
export const ofLog: readonly Harmless[] = [
	{
		file: "log/log.ts",
		code: "if (head !== before)",
		change: "-> true",
		reason: "the head that is there is written once more",
	},
	{
		file: "log/log.ts",
		code: "let hasWritten = false",
		reason: "the batch is done again with savepoints, to the same end",
	},
	{
		file: "log/log.ts",
		code: "if ((hasWritten || isFault) && !recording.isolate)",
		change: "-> (!recording.isolate)",
		reason: "the batch is done again with savepoints, to the same end",
	},
	{
		file: "log/log.ts",
		code: "increments,",
		reason: "sums are then written one by one, to the same end",
	},
	{
		file: "entities/parse-args.ts",
		code: "throw error;",
		reason: "a parser throws nothing but what zod throws",
	},
	{
		file: "entities/parse-args.ts",
		code: "if (error instanceof z.ZodError)",
		change: "-> true",
		reason: "a parser throws nothing but what zod throws",
	},
	{
		file: "log/dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: "- -> +",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "log/dating.ts",
		code: "const isRecent = ms >= now - earlierSlackMs",
		change: ">= -> >",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "log/dating.ts",
		code: "if (isRecent)",
		change: "-> false",
		reason: "what is recent is before nothing that was noted, as a look shows",
	},
	{
		file: "log/dating.ts",
		code: "if (ms > now) return",
		change: "> -> >=",
		reason: "now is the same moment either way",
	},
	{
		file: "protocol/clock.ts",
		code: "const day = new Date(0)",
		change: "0 -> 1",
		reason: "a millisecond of a day that is then set",
	},
	{
		file: "protocol/clock.ts",
		code: "if (!format)",
		change: "-> true",
		reason: "the same format is made once more",
	},
	{
		file: "protocol/clock.ts",
		code: "formatsByZone.set(timeZone, format)",
		reason: "the same format is made once more",
	},
	{
		file: "log/devices.ts",
		code: "if (number > last && follows)",
		change: "> -> >=",
		reason: "a device gives a number once",
	},
	{
		file: "log/lost-facts.ts",
		code: "const pageRows",
		change: "200 -> 201",
		reason: "the same rows are read, one more at a time",
	},
	{
		file: "log/lost-history.ts",
		code: "(await isGone(tx, businessId, request))",
		change: "await isGone",
		reason: "a promise that is returned is waited for",
	},
	{
		file: "log/verify-log.ts",
		code: "pageRows = 5_000",
		change: "5_000 -> 5001",
		reason: "the same mutations are read, one more at a time",
	},
	{
		file: "protocol/ids.ts",
		code: "const poolBytes = 4_096",
		reason:
			"how many random bytes are asked for at a time, of which none is given twice",
	},
	{
		file: "protocol/clock.ts",
		code: "Number(quarter.slice(14, 16))",
		change: "16 -> 17",
		reason: "a quarter of an hour ends there",
	},
	{
		file: "protocol/ids.ts",
		code: "if (count > poolBytes)",
		change: "-> true",
		reason: "random bytes either way, asked of the system more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (count > poolBytes)",
		change: "> -> >=",
		reason: "random bytes either way, asked of the system more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (pool.length < count)",
		change: "-> true",
		reason: "random bytes either way, asked of the system more often",
	},
	{
		file: "protocol/ids.ts",
		code: "if (pool.length < count)",
		change: "< -> <=",
		reason: "random bytes either way, asked of the system more often",
	},
	{
		file: "protocol/json.ts",
		code: 'if (typeof field === "object" && !isSorted',
		change: "-> (!isSorted(field, depth + 1))",
		reason: "whatever is no object is in order",
	},
];
