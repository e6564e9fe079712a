import { expect, test } from "vitest";
import { type ListedSale, salesByDay } from "./sales-by-day.ts";

function sale(
	businessDay: string,
	total: number,
	more: Partial<ListedSale> = {},
): ListedSale {
	return {
		...{ businessDay, total, status: "sold", refundedTotal: 0 },
		...more,
	} as ListedSale;
}

const sales = [
	sale("2026-11-21", 0.1),
	sale("2026-11-20", 5),
	// Brought late by a till.
	sale("2026-11-21", 0.2),
	sale("2026-11-20", 7, { status: "voided", refundedTotal: 7 }),
];

test("a day's count and total are those of its listed sales, unless more may follow", () => {
	const sums = (isComplete: boolean) =>
		salesByDay(sales, undefined, isComplete).map(({ day, count, total }) => [
			...[day, count, total],
		]);
	expect(sums(true)).toEqual([
		["2026-11-21", 2, 0.3],
		["2026-11-20", 1, 5],
	]);
	expect(sums(false)[1]).toEqual(["2026-11-20", undefined, undefined]);
});

test("the shop's own totals of a day go before those of its listed sales", () => {
	const totals = [
		{ day: "2026-11-20", salesCount: 9, revenue: 90, refunded: 0 },
	];
	const days = salesByDay(sales, totals, false);
	expect(days[1]).toMatchObject({ count: 9, total: 90 });
	expect(days[0]).toMatchObject({ count: undefined, total: undefined });
});
