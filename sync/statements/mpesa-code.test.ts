import { expect, test } from "vitest";
import {
	codeOf,
	dayOfCode,
	looksLikeMpesa,
	oldDayOf,
	signsOfDay,
} from "./mpesa-code.ts";

test("a code is kept in capitals, without what people type between", () => {
	expect(codeOf(" tia9 b1u5-vv ")).toBe("TIA9B1U5VV");
	expect(codeOf("…")).toBe("");
});

test.each([
	["TIA9B1U5VV", true],
	["LGR519G2QV", true],
	["UHVH4T4SL28", true],
	["TIA9B1", false],
	["1234567890", false],
	["ABCDEFGHIJ", false],
	["TIA9B1U5VVTIA9", false],
])("%s looks like an M-PESA code: %j", (code, isLike) => {
	expect(looksLikeMpesa(code)).toBe(isLike);
});

test.each([
	["LGR519G2QV", "2017-07-27"],
	["OEB44R5U3U", "2020-05-11"],
	["RLA0R69NXM", "2023-12-10"],
	["TAJ1RBVSYF", "2025-01-19"],
	["TIA9B1U5VV", "2025-09-10"],
	["UIBJN5YMQC", "2026-09-11"],
	["SBT1RBVSYF", "2024-02-29"],
	// No such date, month, or year.
	["TBT1RBVSYF", undefined],
	["TMA9B1U5VV", undefined],
	["TI09B1U5VV", undefined],
	["TIW9B1U5VV", undefined],
	["9IA9B1U5VV", undefined],
	["T", undefined],
	["", undefined],
])("%s names the day %s", (code, day) => {
	expect(dayOfCode(code)).toBe(day);
	if (day !== undefined)
		expect(code).toMatch(new RegExp(`^${signsOfDay(day)}`));
});

test("a code is old from its second day on, unless its day can't be right", () => {
	const old = (today: string, code = "UIBJN5YMQC") => oldDayOf(code, today);
	expect(old("2026-09-11")).toBeUndefined();
	expect(old("2026-09-12")).toBeUndefined();
	expect(old("2026-09-13")).toBe("2026-09-11");
	expect(old("2027-09-12")).toBe("2026-09-11");
	expect(old("2027-09-13")).toBeUndefined();
	expect(old("2026-09-01")).toBeUndefined();
	expect(old("2026-09-30", "REF12")).toBeUndefined();
});
