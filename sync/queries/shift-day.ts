import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { day } from "../entities/fields.ts";
import { plus } from "../entities/money.ts";
import { tagOf, tagsOf } from "../entities/seen.ts";
import { shift, shiftReport } from "../entities/shift.ts";
import { readShiftFacts } from "../entities/shift-facts.ts";
import {
	figuresOf,
	type ShiftFact,
	shiftFigures,
} from "../entities/shift-figures.ts";
import { readRow, selectRows } from "../rows/rows.ts";
import { businessGet } from "./business.ts";
import { letterhead, letterheadOf } from "./letterhead.ts";
import { defineQuery } from "./query.ts";
import { anyId } from "./record.ts";
import { type ShiftSummary, shiftSummary, summaryOf } from "./shift.ts";

const comparedSums = z.object({
	method: z.string(),
	/** Of the shifts in which somebody looked. */
	expected: z.number(),
	counted: z.number(),
	/** What should be there of counted shifts in which nobody looked. */
	uncounted: z.number(),
});

const shiftDayAnswer = z
	.object({
		business: letterhead,
		day,
		/** The till whose shifts these are. Null for all tills. */
		drawerId: z.string().nullable(),
		/** The shifts that were opened on the day, the oldest first; those without `closedAt` are still open. */
		shifts: z.array(shiftSummary),
		/** What all of them add up to now. */
		figures: shiftFigures,
		compared: z.array(comparedSums),
		/** What the counts lacked, as a negative sum, or else what they had over. */
		difference: z.number(),
		/** Facts that came after their shift was counted. */
		late: z.int(),
	})
	.meta({ id: "ShiftDay" });
export type ShiftDay = z.input<typeof shiftDayAnswer>;

export const shiftDay = defineQuery({
	name: "shift.day",
	summary:
		"A day's report over the shifts of all tills, or of one: what should be there and what was counted, summed",
	args: z.strictObject({ id: day, drawerId: anyId.optional() }),
	answer: shiftDayAnswer,
	older: { since: ({ id = "" }) => id },
	// A cashier who counts must not be able to look.
	roles: managing,
	async run(context, { id: day, drawerId = null }) {
		const { tx, businessId } = context;
		const opened = await selectRows(
			tx,
			shift,
			businessId,
			"AND business_day = ? AND deleted = 0 ORDER BY created_at, id",
			day,
		);
		const shifts: ShiftSummary[] = [];
		const facts: ShiftFact[] = [];
		let late = 0;
		for (const { row } of opened) {
			if (drawerId !== null && row.drawerId !== drawerId) continue;
			shifts.push(await summaryOf(context, row));
			const all = await readShiftFacts(tx, businessId, row.id);
			facts.push(...all);
			if (row.reportId === null) continue;
			const found = await readRow(tx, shiftReport, businessId, row.reportId);
			const seen = tagsOf(found?.row.seen ?? "");
			late += all.filter(({ id }) => !seen.has(tagOf(id))).length;
		}
		return {
			business: letterheadOf(await businessGet.run(context, {})),
			...{ day, drawerId, shifts, late, ...comparedOf(shifts) },
			figures: z.encode(shiftFigures, figuresOf(facts)),
		};
	},
});

function comparedOf(
	shifts: readonly ShiftSummary[],
): Pick<ShiftDay, "compared" | "difference"> {
	const sums = new Map<string, z.input<typeof comparedSums>>();
	let [lacking, over] = [0, 0];
	for (const { compared } of shifts)
		for (const { method, expected, counted } of compared ?? []) {
			const sum = sums.get(method) ?? {
				...{ method, expected: 0, counted: 0, uncounted: 0 },
			};
			sums.set(method, sum);
			if (counted === null) {
				sum.uncounted = plus(sum.uncounted, expected);
				continue;
			}
			sum.expected = plus(sum.expected, expected);
			sum.counted = plus(sum.counted, counted);
			const difference = plus(counted, -expected);
			if (difference < 0) lacking = plus(lacking, difference);
			else over = plus(over, difference);
		}
	return { compared: [...sums.values()], difference: lacking || over };
}
