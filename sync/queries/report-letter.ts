import * as z from "zod";
import { day } from "../entities/fields.ts";
import { toDecimal, toMicros } from "../entities/money.ts";
import { addDays } from "../protocol/clock.ts";
import { businessToday } from "./business.ts";
import { readDayClock } from "./day-clock.ts";
import { type Figures, figures, toFigures } from "./figures.ts";
import { oddity, readOddities } from "./oddities.ts";
import { orderLine, readOrder } from "./order-list.ts";
import { defineQuery } from "./query.ts";
import { readSoldOut, soldOut } from "./sold-out.ts";
import { type DaySums, readDaySums } from "./tallies.ts";
import { medianOf, sameWeekdays, sumByDay, usualDays } from "./usual.ts";

/** The same weekdays before today, up to the present time of day. */
const usual = z.object({
	/** How many, 4 to 8. */
	days: z.int(),
	/** Medians. */
	salesCount: z.int(),
	revenue: z.number(),
});
type Usual = z.infer<typeof usual>;

/** Why revenue differs from the usual: the amounts of both add up to the difference. */
const cause = z.object({
	/** The number of sales, or the revenue of each. */
	code: z.enum(["sales", "basket"]),
	today: z.number(),
	usual: z.number(),
	amount: z.number(),
});

const letter = z
	.object({
		day,
		today: figures,
		/** Null if the shop sold on fewer than four of the last eight same weekdays. */
		usual: usual.nullable(),
		/** Empty without usual figures, or before today's first sale. */
		causes: z.array(cause),
		soldOut: z.array(soldOut),
		order: z.array(orderLine),
		odd: z.array(oddity),
	})
	.meta({ id: "Letter" });
type Letter = z.infer<typeof letter>;

/**
 * What the owner should know tonight, as facts that a page puts into words. It reads the tallies of 56 days, the lines
 * of today, and those of four days more if anything has run out.
 */
export const reportLetter = defineQuery({
	name: "report.letter",
	summary:
		"Today against a usual such weekday so far, what sold out, what to order and what looks odd",
	args: z.strictObject({}),
	answer: letter,
	settles: true,
	async run(context) {
		const { tx, businessId } = context;
		const { day: today } = await businessToday.run(context, {});
		const clock = await readDayClock(context);
		const slots = await readDaySums(
			tx,
			businessId,
			"slot",
			addDays(today, -usualDays - 1),
			today,
		);
		const sales = sumByDay(slots, "sales");
		const weekdays = sameWeekdays(today, (day) => (sales.get(day) ?? 0) > 0);
		const soFar = slots.filter(
			({ key }) => clock.minuteOf(key) < clock.nowMinute,
		);
		const usual = usualOf(weekdays, soFar);
		const figures = toFigures(slots.filter(({ day }) => day === today));
		return {
			day: today,
			today: figures,
			usual,
			causes: causesOf(figures, usual),
			soldOut: await readSoldOut(context, today, weekdays, clock),
			order: await readOrder(context, today),
			odd: await readOddities(context, { today, weekdays, clock, slots }),
		};
	},
});

function usualOf(
	weekdays: readonly string[],
	soFar: readonly DaySums[],
): Usual | null {
	if (weekdays.length === 0) return null;
	const median = (field: "sales" | "revenue") => {
		const byDay = sumByDay(soFar, field);
		return medianOf(weekdays.map((day) => byDay.get(day) ?? 0));
	};
	return {
		days: weekdays.length,
		salesCount: median("sales"),
		revenue: toDecimal(median("revenue")),
	};
}

function causesOf(today: Figures, usual: Usual | null): Letter["causes"] {
	if (!usual || usual.salesCount <= 0 || today.averageBasket === null)
		return [];
	const usualRevenue = toMicros(usual.revenue);
	const usualBasket = Math.round(usualRevenue / usual.salesCount);
	const byCount = (today.salesCount - usual.salesCount) * usualBasket;
	const byBasket = toMicros(today.revenue) - usualRevenue - byCount;
	return [
		{
			code: "sales",
			today: today.salesCount,
			usual: usual.salesCount,
			amount: toDecimal(byCount),
		},
		{
			code: "basket",
			today: today.averageBasket,
			usual: toDecimal(usualBasket),
			amount: toDecimal(byBasket),
		},
	];
}
