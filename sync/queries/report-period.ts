import * as z from "zod";
import { day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { addDays } from "../protocol/clock.ts";
import { businessToday } from "./business.ts";
import { type DayClock, readDayClock } from "./day-clock.ts";
import { inDays, lineFacts, term } from "./facts.ts";
import {
	figures,
	tenderFigures,
	toFigures,
	toTenders,
	withoutTenders,
} from "./figures.ts";
import {
	daysOf,
	factDaysMax,
	lengthOf,
	type Period,
	periodBefore,
	periodDays,
	periodDaysMax,
	problemOf,
	rangeOf,
} from "./period.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { all, raw, sql } from "./sql.ts";
import { type DaySums, readDaySums, type TallyKind } from "./tallies.ts";
import { medianOf, sameWeekdays, sumByDay, usualDays } from "./usual.ts";

const bar = figures.extend({
	/** A day, a month `2026-11`, or an hour of the day `08`. */
	key: z.string(),
	/** The median revenue of the same weekdays before, of a day or of an hour of a single day. */
	usual: z.number().nullable(),
});
type Bar = z.infer<typeof bar>;

const periodReport = z
	.object({
		from: day,
		to: day,
		total: figures,
		/** The period of the same length just before. */
		before: z.object({
			from: day,
			to: day,
			/** True if its last day counts only up to the present time of day, because today has not ended either. */
			untilNow: z.boolean(),
			total: figures,
		}),
		/** Every day, month or hour of the period, in order. */
		bars: z.array(bar),
		/** By the sales' own `paymentMethod`, `MIXED` of several tenders. The highest revenue first. */
		paymentMethods: z.array(figures.extend({ paymentMethod: z.string() })),
		/** The same money by the tenders of each sale, the highest amount first. */
		tenders: z.array(tenderFigures),
		/** Facts of lines, less what came back. Null for a period of more than 92 days. */
		lines: z
			.object({
				/** What the list prices would have brought more. */
				discount: z.number(),
				/** Lines sold at a price with a cost of 0, so that their profit is unknown. */
				withoutCost: z.int(),
				revenueWithoutCost: z.number(),
			})
			.nullable(),
	})
	.meta({ id: "PeriodReport" });

/**
 * Figures of a period. The tallies answer all but `lines`, which reads the period's lines by the index of days, and so
 * for 92 days at most.
 */
export const reportPeriod = defineQuery({
	name: "report.period",
	summary:
		"Figures of a period of at most 1,100 days, compared with the period before",
	args: z
		.strictObject({
			...periodDays,
			by: z.enum(["hour", "day", "month"]).default("day"),
		})
		// Here, so that a refused question settles nothing.
		.check(({ value, issues }) => {
			const { by, ...period } = value;
			const daysMax = by === "hour" ? factDaysMax : periodDaysMax;
			const problem = problemOf(period, daysMax);
			if (problem)
				issues.push({
					code: "custom",
					message: problem.message,
					path: [problem.field],
					input: value,
				});
		}),
	answer: periodReport,
	settles: true,
	older: {
		since({ from = "", to = from }) {
			const period = { from, to };
			const before = periodBefore(period).from;
			const usual = earlier(period).from;
			return before < usual ? before : usual;
		},
	},
	whileCounting: withoutTenders,
	async run(context, { from, to, by }) {
		const period = { from, to };
		const { tx, businessId } = context;
		const read = (kind: TallyKind, { from, to }: Period) =>
			readDaySums(tx, businessId, kind, addDays(from, -1), to);
		const methods = Map.groupBy(await read("method", period), ({ key }) => key);
		return {
			...period,
			total: toFigures(await read("day", period)),
			before: await readBefore(context, period, read),
			bars: await barsBy[by](context, period, read),
			paymentMethods: [...methods]
				.map(([paymentMethod, sums]) => ({ paymentMethod, ...toFigures(sums) }))
				.toSorted(
					(a, b) =>
						b.revenue - a.revenue ||
						(a.paymentMethod < b.paymentMethod ? -1 : 1),
				),
			tenders: toTenders(await read("tender", period)),
			lines:
				lengthOf(period) > factDaysMax
					? null
					: await readLines(context, period),
		};
	},
});

type Read = (kind: TallyKind, period: Period) => Promise<DaySums[]>;

async function readBefore(context: QueryContext, period: Period, read: Read) {
	const before = periodBefore(period);
	const { day: today } = await businessToday.run(context, {});
	const untilNow = period.to === today;
	if (!untilNow)
		return { ...before, untilNow, total: toFigures(await read("day", before)) };
	const clock = await readDayClock(context);
	const last = { from: before.to, to: before.to };
	const whole = await read("day", before);
	const soFar = (await read("slot", last)).filter((sums) =>
		isPast(clock, sums),
	);
	const total = toFigures([
		...whole.filter(({ day }) => day < before.to),
		...soFar,
	]);
	return { ...before, untilNow, total };
}

/** True for a quarter hour that has ended by this time of day. */
const isPast = ({ minuteOf, nowMinute }: DayClock, { key }: DaySums) =>
	minuteOf(key) < nowMinute;

const barsBy: Record<
	"hour" | "day" | "month",
	(context: QueryContext, period: Period, read: Read) => Promise<Bar[]>
> = {
	async day(_, period, read) {
		const sums = await read("day", earlier(period));
		const revenues = sumByDay(sums, "revenue");
		const sales = sumByDay(sums, "sales");
		const sumsByDay = Map.groupBy(sums, ({ day }) => day);
		return daysOf(period).map((day) => {
			const same = sameWeekdays(day, (other) => (sales.get(other) ?? 0) > 0);
			const usual = same.map((other) => revenues.get(other) ?? 0);
			return toBar(day, sumsByDay.get(day), usual);
		});
	},

	async month(_, period, read) {
		const month = (day: string) => day.slice(0, 7);
		const sums = await read("day", period);
		const byMonth = Map.groupBy(sums, ({ day }) => month(day));
		const months = new Set(daysOf(period).map(month));
		return [...months].map((key) => toBar(key, byMonth.get(key), []));
	},

	async hour(context, period, read) {
		const { hourOf, cutOffHour } = await readDayClock(context);
		const isDay = period.from === period.to;
		const found = await read("slot", isDay ? earlier(period) : period);
		const isWithin = ({ day }: DaySums) =>
			day >= period.from && day <= period.to;
		const sales = sumByDay(found, "sales");
		const same = isDay
			? sameWeekdays(period.from, (day) => (sales.get(day) ?? 0) > 0)
			: [];
		const byHour = Map.groupBy(found, ({ key }) => hourOf(key));
		return Array.from({ length: 24 }, (_, i) => (cutOffHour + i) % 24).map(
			(hour) => {
				const sums = byHour.get(hour) ?? [];
				const revenues = sumByDay(sums, "revenue");
				return toBar(
					String(hour).padStart(2, "0"),
					sums.filter(isWithin),
					same.map((day) => revenues.get(day) ?? 0),
				);
			},
		);
	},
};

/** A period and the days before it that make its usual figures. */
function earlier({ from, to }: Period): Period {
	return { from: addDays(from, -usualDays), to };
}

function toBar(key: string, sums: DaySums[] = [], usual: number[]): Bar {
	return {
		key,
		...toFigures(sums),
		usual: usual.length === 0 ? null : toDecimal(medianOf(usual)),
	};
}

const withoutCost = raw("sale_items.cost = 0 AND sale_items.price > 0");

/** Each day is a statement, so that others get a turn. */
async function readLines({ tx, businessId }: QueryContext, period: Period) {
	let [discount, lines, revenue] = [0, 0, 0];
	for (const day of daysOf(period)) {
		const facts = lineFacts(
			businessId,
			inDays(rangeOf({ from: day, to: day })),
			({ revenue, discount, isSold }) =>
				sql`${term(discount)} AS discount, CASE WHEN ${withoutCost} THEN ${isSold ? 1 : 0} ELSE 0 END AS lines, CASE WHEN ${withoutCost} THEN ${term(revenue)} ELSE 0 END AS revenue`,
		);
		const [row] = await all(
			tx,
			sql`SELECT sum(discount) AS discount, sum(lines) AS lines, sum(revenue) AS revenue FROM (${facts}) AS facts`,
		);
		discount += Number(row?.discount);
		lines += Number(row?.lines);
		revenue += Number(row?.revenue);
	}
	return {
		discount: toDecimal(discount),
		withoutCost: lines,
		revenueWithoutCost: toDecimal(revenue),
	};
}
