import { expect, test } from "vitest";
import { addMonths, dayAfterKey, weeksOf } from "./month.ts";

test.each([
	["2026-11-24", 1, "2026-12-24"],
	["2026-12-24", 1, "2027-01-24"],
	["2026-01-31", 1, "2026-02-28"],
	["2028-01-31", 1, "2028-02-29"],
	["2026-03-31", -1, "2026-02-28"],
	["2026-01-15", -1, "2025-12-15"],
])("%s and %d months is %s", (day, months, then) => {
	expect(addMonths(day, months)).toBe(then);
});

test("a month's weeks begin on Monday and have no days of other months", () => {
	expect(weeksOf("2026-11-24")).toHaveLength(6);
	expect(weeksOf("2026-11-24")[0]).toEqual([
		...Array(6).fill(undefined),
		"2026-11-01",
	]);
	expect(weeksOf("2027-02-10")).toHaveLength(4);
	expect(weeksOf("2026-11-24").flat().filter(Boolean)).toHaveLength(30);
});

test.each([
	["ArrowLeft", "2026-10-31"],
	["ArrowRight", "2026-11-02"],
	["ArrowUp", "2026-10-25"],
	["ArrowDown", "2026-11-08"],
	["Home", "2026-10-26"],
	["End", "2026-11-01"],
	["PageUp", "2026-10-01"],
	["PageDown", "2026-12-01"],
	["a", undefined],
])("%s on Sunday 1 November leads to %s", (key, day) => {
	expect(dayAfterKey(key, "2026-11-01")).toBe(day);
});
