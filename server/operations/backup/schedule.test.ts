import { expect, test } from "vitest";
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
