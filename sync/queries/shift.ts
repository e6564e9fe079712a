import * as z from "zod";
import { managing, type RowOf } from "../entities/entity.ts";
import { computed, day, recordId, timestamp } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { tagOf, tagsOf } from "../entities/seen.ts";
import {
	comparedOf,
	differenceOf,
	readReport,
	type Shift,
	shift,
	shiftReport,
} from "../entities/shift.ts";
import { readShiftFacts } from "../entities/shift-facts.ts";
import {
	expectedOf,
	figuresOf,
	type ShiftFact,
	shiftFigures,
} from "../entities/shift-figures.ts";
import { localTimes } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { serverDrawer } from "../protocol/till-api.ts";
import { readRow, selectRows } from "../rows/rows.ts";
import { businessGet } from "./business.ts";
import { letterhead, letterheadOf } from "./letterhead.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { userName } from "./user-name.ts";

const compared = z.object({
	method: z.string(),
	expected: computed,
	/** Null if nobody looked. */
	counted: computed.nullable(),
});

export const shiftSummary = z
	.object({
		id: recordId,
		drawerId: recordId,
		openingFloat: computed,
		businessDay: day,
		openedAt: timestamp,
		/** The moment in the shop's time, `2026-11-20 08:00`. */
		openedLocal: z.string(),
		/** Null if this database does not know the account. */
		openedBy: z.string().nullable(),
		/** Null while it is open. */
		closedAt: timestamp.nullable(),
		closedLocal: z.string().nullable(),
		closedBy: z.string().nullable(),
		/** What should be there by each method, cash with the float, and what was found. Null while it is open. */
		compared: z.array(compared).nullable(),
		/** What was lacking, as a negative sum over the methods, or else what was over. Null while it is open. */
		difference: computed.nullable(),
	})
	.meta({ id: "ShiftSummary" });
export type ShiftSummary = z.input<typeof shiftSummary>;

const byTime = orderOf<Shift>(shift, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const shiftList = defineList({
	name: "shift.list",
	summary: "Shifts, the newest first, with what was counted at their end",
	args: {},
	row: shiftSummary,
	placeOf: ({ openedAt: createdAt, id }) =>
		byTime.placeOf({ createdAt, id } as Shift),
	async read(context, _, page) {
		const rows: ShiftSummary[] = [];
		for (const { id } of await byTime.read(context, page))
			rows.push(await summaryOf(context, await findShift(context, id)));
		return { rows };
	},
});

/** The shift that sales made now belong to. */
export const shiftCurrent = defineQuery({
	name: "shift.current",
	summary: "The shift that is open at a drawer",
	args: z.strictObject({
		/** A till's device id, or the server's own drawer. */
		drawerId: anyId.default(serverDrawer),
	}),
	answer: z.object({ shift: shiftSummary.nullable() }),
	async run(context, { drawerId }) {
		const { tx, businessId } = context;
		const [open] = await selectRows(
			tx,
			shift,
			businessId,
			"AND drawer_id = ? AND report_id IS NULL AND deleted = 0 ORDER BY created_at DESC, id DESC LIMIT 1",
			drawerId,
		);
		return { shift: open ? await summaryOf(context, open.row) : null };
	},
});

const lateFact = z.object({
	id: recordId,
	kind: z.enum([
		"sale",
		"refund",
		"void",
		"collection",
		"cash",
		"drawer",
		"removal",
		"supplier",
	]),
	receiptNumber: z.string().nullable(),
	/** What moved by each method. */
	entries: z.array(z.object({ method: z.string(), amount: computed })),
});

const count = z.object({
	id: recordId,
	countedAt: timestamp,
	countedBy: z.string().nullable(),
	compared: z.array(compared),
	pieces: z.array(z.object({ value: computed, count: z.int() })).nullable(),
	leftInDrawer: computed.nullable(),
	reason: z.string().nullable(),
});

const shiftDetail = z
	.object({
		business: letterhead,
		shift: shiftSummary,
		/** Null while it is open. */
		figures: shiftFigures.nullable(),
		count: count.nullable(),
		/** Facts of the shift that the report has not counted. */
		late: z.array(lateFact),
		/** How many facts it counted that are not here: they have not arrived, or were refused. */
		missing: z.int(),
		recounts: z.array(count),
	})
	.meta({ id: "ShiftDetail" });
export type ShiftDetail = z.input<typeof shiftDetail>;

export const shiftGet = defineQuery({
	name: "shift.get",
	summary:
		"A shift with its Z report, what came after it, and counts that were made again",
	args: z.strictObject({ id: anyId }),
	answer: shiftDetail,
	older: { since: dayOfClosed },
	async run(context, { id }) {
		const { tx, businessId } = context;
		const found = await findShift(context, id);
		const reports = await selectRows(
			tx,
			shiftReport,
			businessId,
			"AND shift_id = ? AND deleted = 0 ORDER BY created_at, id",
			id,
		);
		const closing = reports.find(({ row }) => row.id === found.reportId)?.row;
		const recounts = reports.filter(({ row }) => row.id !== closing?.id);
		const toCount = (row: RowOf<typeof shiftReport>) =>
			countOf(context, found.openingFloat, row);
		const facts = closing ? await readShiftFacts(tx, businessId, id) : [];
		const seen = closing ? tagsOf(closing.seen) : new Set<string>();
		const late = facts.filter(({ id }) => !seen.has(tagOf(id)));
		return {
			business: letterheadOf(await businessGet.run(context, {})),
			shift: await summaryOf(context, found),
			figures: closing ? JSON.parse(closing.figures) : null,
			count: closing ? await toCount(closing) : null,
			late: late.map(toLate),
			missing: seen.size - (facts.length - late.length),
			recounts: await Promise.all(recounts.map(({ row }) => toCount(row))),
		};
	},
});

const shiftSumsAnswer = z
	.object({
		figures: shiftFigures,
		expected: z.array(z.object({ method: z.string(), amount: computed })),
	})
	.meta({ id: "ShiftSums" });
export type ShiftSums = z.input<typeof shiftSumsAnswer>;

export const shiftSums = defineQuery({
	name: "shift.sums",
	summary: "What a shift adds up to now, and what should be in its drawer",
	args: z.strictObject({ id: anyId }),
	answer: shiftSumsAnswer,
	older: { since: dayOfClosed },
	// A cashier who counts must not be able to look.
	roles: managing,
	async run(context, { id }) {
		const { tx, businessId } = context;
		const { openingFloat } = await findShift(context, id);
		const figures = figuresOf(await readShiftFacts(tx, businessId, id));
		return {
			figures: z.encode(shiftFigures, figures),
			expected: [...expectedOf(openingFloat, figures)].map(
				([method, amount]) => ({ method, amount: toDecimal(amount) }),
			),
		};
	},
});

/** A till keeps the sales of an open shift, whatever its age. */
async function dayOfClosed(
	{ id = "" }: { id?: string | undefined },
	context: QueryContext,
): Promise<string> {
	const { reportId, businessDay } = await findShift(context, id);
	return reportId === null ? endless : businessDay;
}

const endless = "9999-12-31";

/** @throws ShopError `not_found` */
async function findShift(
	{ tx, businessId }: QueryContext,
	id: string,
): Promise<RowOf<typeof shift>> {
	const found = await readRow(tx, shift, businessId, id);
	if (!found || found.deleted)
		throw new ShopError("not_found", "Shift not found");
	return found.row;
}

export async function summaryOf(
	context: QueryContext,
	{ id, drawerId, openingFloat, ...row }: RowOf<typeof shift>,
): Promise<ShiftSummary> {
	const { tx, businessId } = context;
	const report =
		row.reportId === null
			? undefined
			: (await readRow(tx, shiftReport, businessId, row.reportId))?.row;
	const compared = report ? comparedOf(openingFloat, readReport(report)) : null;
	const localTime = localTimes((await businessGet.run(context, {})).timeZone);
	return {
		...{ id, drawerId, openingFloat: toDecimal(openingFloat) },
		businessDay: row.businessDay,
		openedAt: row.createdAt,
		openedLocal: localTime(row.createdAt),
		openedBy: await userName(context, row.userId),
		closedAt: report?.createdAt ?? null,
		closedLocal: report ? localTime(report.createdAt) : null,
		closedBy: await userName(context, report?.userId ?? null),
		compared: compared && toCompared(compared),
		difference: compared && toDecimal(differenceOf(compared)),
	};
}

const toCompared = (all: ReturnType<typeof comparedOf>) =>
	all.map(({ method, expected, counted }) => ({
		method,
		expected: toDecimal(expected),
		counted: counted === null ? null : toDecimal(counted),
	}));

async function countOf(
	context: QueryContext,
	openingFloat: number,
	row: RowOf<typeof shiftReport>,
): Promise<z.input<typeof count>> {
	const { id, createdAt, userId, leftInDrawer, reason, pieces } = row;
	return {
		id,
		countedAt: createdAt,
		countedBy: await userName(context, userId),
		compared: toCompared(comparedOf(openingFloat, readReport(row))),
		pieces: pieces === null ? null : JSON.parse(pieces),
		leftInDrawer: leftInDrawer === null ? null : toDecimal(leftInDrawer),
		reason,
	};
}

function toLate({
	id,
	kind,
	receiptNumber,
	entries,
}: ShiftFact): z.input<typeof lateFact> {
	return {
		...{ id, kind, receiptNumber },
		entries: entries.map(({ method, amount }) => ({
			method,
			amount: toDecimal(amount),
		})),
	};
}
