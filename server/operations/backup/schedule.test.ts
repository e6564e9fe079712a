import { expect, onTestFinished, test } from "vitest";
import { isDue } from "./schedule.ts";

const local = (day: number, hour: number, minute = 0) =>
	new Date(2026, 10, day, hour, minute).getTime();
const all = Array.from({ length: 24 }, (_, hour) => hour);

test.each([
	{
		what: "never if no hour is chosen",
		hours: [],
		last: undefined,
		due: false,
	},
	{ what: "at once if there is none", hours: [3], last: undefined, due: true },
	{ what: "once an hour", hours: all, last: local(20, 12, 1), due: false },
	{
		what: "when an hour begins",
		hours: all,
		last: local(20, 11, 59),
		due: true,
	},
	{
		what: "not before its hour",
		hours: [13],
		last: local(19, 13, 5),
		due: false,
	},
	{ what: "in its hour", hours: [7, 12], last: local(20, 7), due: true },
	{
		what: "after a night without power",
		hours: [2],
		last: local(19, 2),
		due: true,
	},
	{
		what: "not twice for one hour",
		hours: [2],
		last: local(20, 2, 1),
		due: false,
	},
	{ what: "after a long time", hours: [23], last: local(2, 23), due: true },
])("a backup is due $what", ({ hours, last, due }) => {
	expect(isDue(hours, last, local(20, 12, 30))).toBe(due);
});

test("an hour that a change of the clocks skips still has its backup that day, and one that comes twice has one", () => {
	const { TZ } = process.env;
	onTestFinished(() => {
		if (TZ === undefined) delete process.env.TZ;
		else process.env.TZ = TZ;
	});
	process.env.TZ = "Europe/Berlin";
	const at = Date.parse;
	// At 02:00 it is 03:00.
	const nightBefore = at("2026-03-28T02:00:00+01:00");
	expect(isDue([2], nightBefore, at("2026-03-29T01:59:00+01:00"))).toBe(false);
	expect(isDue([2], nightBefore, at("2026-03-29T03:00:00+02:00"))).toBe(true);
	expect(isDue([2], nightBefore, at("2026-03-29T22:00:00+02:00"))).toBe(true);
	// At 03:00 it is 02:00 again.
	const first = at("2026-10-25T02:00:00+02:00");
	expect(isDue([2], first - 60_000, first)).toBe(true);
	expect(isDue([2], first + 1, at("2026-10-25T02:30:00+01:00"))).toBe(false);
	expect(isDue([2], first + 1, at("2026-10-26T02:00:00+01:00"))).toBe(true);
});
