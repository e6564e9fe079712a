import { describe, expect, test } from "vitest";
import {
	currency,
	day,
	recordId,
	text,
	timestamp,
	timeZone,
} from "./fields.ts";

describe("fields", () => {
	test.each([
		[
			"text",
			text(5),
			["", "Ünï", "牛奶", "👍👍"],
			["123456", "a\0b", "\ud83d", "\udc4d", 5, null],
		],
		[
			"record id",
			recordId,
			["1", "x".repeat(64), "a b"],
			["", " ", "x".repeat(65), 7, null, {}],
		],
		[
			"moment",
			timestamp,
			["2026-11-20T09:00:00.000Z", "9999-12-31T23:59:59.999Z"],
			[
				"2026-11-20",
				"2026-11-20T09:00:00Z",
				"2026-02-30T09:00:00.000Z",
				"2026-11-20T09:00:00.000+03:00",
				1,
			],
		],
		[
			"day",
			day,
			["2026-11-20", "2028-02-29"],
			["2026-02-29", "20-11-2026", "2026-11-20T00:00:00.000Z"],
		],
		["currency", currency, ["KES", "UGX"], ["kes", "KSH1", "", "€"]],
		[
			"time zone",
			timeZone,
			["Africa/Nairobi", "UTC"],
			["Nairobi", "", "Africa/Nairobi\0"],
		],
	])(
		"a field of type %s accepts valid values only",
		(_name, schema, good, bad) => {
			for (const value of good)
				expect(schema.safeParse(value).success).toBe(true);
			for (const value of bad)
				expect([value, schema.safeParse(value).success]).toEqual([
					value,
					false,
				]);
		},
	);
});
