import { expect, test } from "vitest";
import { addDays } from "../protocol/clock.ts";
import {
	addDaySums,
	type DaySums,
	windowChange,
	windowDays,
} from "./tallies.ts";

const today = "2026-11-24";
const daysIn = ({ after, upTo }: { after: string; upTo: string }) => {
	const days: string[] = [];
	for (let day = addDays(after, 1); day <= upTo; day = addDays(day, 1))
		days.push(day);
	return days;
};
const windowOf = (last: string) =>
	daysIn({ after: addDays(last, -windowDays), upTo: last });

test.each([1, 7, windowDays - 1, windowDays, windowDays + 1, 90, -1, -7, -90])(
	"a window that moves by %i days loses the days behind it and gains those ahead",
	(days) => {
		const to = addDays(today, days);
		const { leaving, entering } = windowChange(today, to);
		const [before, after] = [windowOf(today), windowOf(to)];
		expect(daysIn(leaving)).toEqual(
			before.filter((day) => !after.includes(day)),
		);
		expect(daysIn(entering)).toEqual(
			after.filter((day) => !before.includes(day)),
		);
	},
);

test("sums of the tail are added to those of their day and key, and others come last", () => {
	const sums = (day: string, key: string, n: number): DaySums => ({
		...{ day, key, sales: n, revenue: 10 * n, cost: 5 * n, refunded: n },
	});
	expect(
		addDaySums(
			[sums("d1", "CASH", 1), sums("d1", "CARD", 2)],
			[sums("d1", "CASH", 3), sums("d2", "CASH", 4)],
		),
	).toEqual([
		sums("d1", "CASH", 4),
		sums("d1", "CARD", 2),
		sums("d2", "CASH", 4),
	]);
});
