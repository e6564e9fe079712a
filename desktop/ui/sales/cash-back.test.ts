import { expect, test } from "vitest";
import { cashBack } from "./cash-back.ts";

const sale = (
	total: number,
	more: { paid?: number; rounding?: number } = {},
) => ({
	...{ total, paid: total, ...more },
});

test.each([
	["prices in coins", sale(300), 1, [100, 200], [100, 200]],
	[
		"a weighed line",
		sale(150.25, { rounding: 0.25 }),
		1,
		[50.25, 100],
		[50, 100],
	],
	["lines that add up to coins", sale(21), 1, [10.4, 10.6], [10, 11]],
	[
		"halves, of which no part may give more than came in",
		sale(2.5, { paid: 3, rounding: -0.5 }),
		1,
		[0.5, 0.5, 0.5, 0.5, 0.5],
		[1, 1, 1, 0, 0],
	],
	[
		"all at once, as it was rounded",
		sale(1_030, { paid: 1_050, rounding: -20 }),
		50,
		[1_030],
		[1_050],
	],
	[
		"cash that had no rounding: the shop has cents",
		sale(299.5),
		1,
		[149.75, 149.75],
		[149.75, 149.75],
	],
	[
		"a sale that was paid short",
		sale(100, { paid: 60 }),
		1,
		[50, 50],
		[50, 10],
	],
	[
		"a sale whose change is given",
		sale(99, { paid: 200 }),
		5,
		[30, 69],
		[30, 69],
	],
])("cash that goes back for %s", (_what, sold, unit, parts, given) => {
	expect(
		parts.map((part, i) => cashBack(sold, parts.slice(0, i), part, unit)),
	).toEqual(given);
});
