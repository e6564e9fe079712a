import * as z from "zod";
import { serverDrawer } from "../protocol/till-api.ts";
import type { Connection } from "../store/store.ts";
import {
	type Context,
	type Device,
	defineEntity,
	defineMutation,
} from "./entity.ts";
import { dateFact, fixDay, shopDay } from "./fact-date.ts";
import {
	amount,
	day,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { type InboxConcern, raise } from "./inbox.ts";
import { seenMax, tagOf, tagsOf, toSeen } from "./seen.ts";
import { readShiftFacts } from "./shift-facts.ts";
import {
	expectedOf,
	figuresOf,
	type ShiftFigures,
	shiftFigures,
} from "./shift-figures.ts";

export const shiftRow = z
	.object({
		id: recordId,
		businessId: recordId,
		/** The till whose drawer it is, by its device's id. Sales that the server makes itself belong to `server`. */
		drawerId: recordId,
		/** The cash in the drawer at the start, as it was counted: never taken over from the last close. */
		openingFloat: amount,
		/** The report that ended it; of several, the first that the server got. Null while it is open. */
		reportId: recordId.nullable(),
		businessDay: day,
		userId: recordId.nullable(),
		deviceId: recordId.nullable(),
		createdAt: timestamp,
	})
	.meta({ id: "Shift" });
export type Shift = z.input<typeof shiftRow>;

/** A time of selling at one drawer, from a float to a count. Sales, refunds and payments name the one that they were made in. */
export const shift = defineEntity({
	name: "shift",
	table: "shifts",
	row: shiftRow,
	isNeededFirst: true,
});

/** What was found of each method. */
const counted = z
	.array(z.strictObject({ method: requiredText(500), amount }))
	.max(50);
/** The counted cash by notes and coins. */
const pieces = z
	.array(z.strictObject({ value: amount, count: z.int().min(0) }))
	.max(50);

export const shiftReportRow = z
	.object({
		id: recordId,
		businessId: recordId,
		shiftId: recordId,
		/** JSON of what was found by each method. */
		counted: z.string(),
		/** JSON of the notes and coins. Null if only the sum of the cash was entered. */
		pieces: z.string().nullable(),
		/** The cash that stays in the drawer. Null if nobody said. */
		leftInDrawer: amount.nullable(),
		/** Why something is missing or over, as somebody said. */
		reason: text(500).nullable(),
		/** JSON of what the facts added up to that it saw. */
		figures: z.string(),
		/** Names those facts (sync/entities/seen.ts). */
		seen: z.string().max(seenMax * 6),
		businessDay: day,
		userId: recordId.nullable(),
		deviceId: recordId.nullable(),
		createdAt: timestamp,
	})
	.meta({ id: "ShiftReport" });
type StoredReport = z.output<typeof shiftReportRow>;

/** The count that ended a shift: its Z report. It never changes; facts that come later are an addendum to it. */
export const shiftReport = defineEntity({
	name: "shiftReport",
	table: "shift_reports",
	row: shiftReportRow,
});

export const shiftOpen = defineMutation({
	name: "shift.open",
	args: z.strictObject({
		id: recordId,
		openingFloat: amount,
		/** Fixed when it is made. */
		drawerId: recordId.optional(),
		businessDay: day.optional(),
	}),
	sentence: ({ openingFloat }) =>
		`Opened a shift with ${openingFloat} in the drawer`,
	examples: [{ id: "shift", openingFloat: 500, drawerId: "till" }],
	prepare: async (context, args, { drawerId }) => ({
		drawerId,
		...(await fixDay(context, args)),
	}),
	async apply(
		context,
		{ id, openingFloat, drawerId = serverDrawer, businessDay },
	) {
		const isSame = (a: z.output<typeof shiftRow>) =>
			a.openingFloat === openingFloat && a.drawerId === drawerId;
		if (await context.isRecorded(shift, id, isSame)) return;
		const dated = await dateFact(context, businessDay);
		const { businessId, userId, deviceId } = context;
		await context.insert(shift, {
			...{ id, businessId, drawerId, openingFloat, reportId: null },
			...{ businessDay: dated.day, userId, deviceId, createdAt: dated.at },
		});
		const lacking = openingFloat - (await readLeft(context, drawerId));
		if (lacking < 0)
			await raise(context, null, {
				...{ cause: "drawer_differs", shiftId: id, amount: lacking },
			});
	},
});

/** Returns the cash that the last count left in a drawer, or 0 if nobody said. Clocks have no say in which was the last. */
async function readLeft(
	{ all, businessId }: Context,
	drawerId: string,
): Promise<number> {
	const [last] = await all(
		`SELECT shift_reports.left_in_drawer FROM shifts
     JOIN shift_reports ON shift_reports.business_id = shifts.business_id AND shift_reports.id = shifts.report_id
     WHERE shifts.business_id = ? AND shifts.drawer_id = ?
     ORDER BY shift_reports.version < 1 DESC, shift_reports.version DESC, shift_reports.created_at DESC LIMIT 1`,
		...[businessId, drawerId],
	);
	return Number(last?.left_in_drawer ?? 0);
}

const { reason, leftInDrawer, seen } = shiftReportRow.shape;

/** Ends a shift by a count: the cashier says what was found before seeing what should be there. */
export const shiftClose = defineMutation({
	name: "shift.close",
	args: z.strictObject({
		id: recordId,
		shiftId: recordId,
		counted,
		pieces: pieces.nullable().default(null),
		leftInDrawer: leftInDrawer.default(null),
		reason: reason.default(null),
		/** What is known of the shift where it is closed, fixed when it is made. */
		figures: shiftFigures.optional(),
		seen: seen.optional(),
		businessDay: day.optional(),
	}),
	sentence: ({ shiftId, counted }) =>
		`Closed shift ${shiftId}, with ${counted.map(({ method, amount }) => `${amount} by ${method}`).join(" and ")}`,
	examples: [
		{
			id: "close",
			shiftId: "shift",
			counted: [
				{ method: "CASH", amount: 350 },
				{ method: "MPESA", amount: 0 },
			],
			pieces: [
				{ value: 200, count: 1 },
				{ value: 50, count: 3 },
			],
			leftInDrawer: 300,
		},
	],
	async prepare(context, args) {
		const facts = await readShiftFacts(
			context,
			context.businessId,
			args.shiftId,
		);
		return {
			...args,
			figures: z.encode(shiftFigures, figuresOf(facts)),
			seen: toSeen(facts.map(({ id }) => id)),
			businessDay: args.businessDay ?? (await shopDay(context)),
		};
	},
	async apply(context, { businessDay, ...args }) {
		const { id, shiftId } = args;
		const opened = await context.get(shift, shiftId, "shiftId");
		const said = {
			counted: toText(counted, args.counted),
			pieces: args.pieces && toText(pieces, args.pieces),
			figures: toText(shiftFigures, args.figures ?? figuresOf([])),
		};
		const isSame = (a: StoredReport) =>
			a.shiftId === shiftId && a.counted === said.counted;
		if (await context.isRecorded(shiftReport, id, isSame)) return;
		const dated = await dateFact(context, businessDay);
		const { businessId, userId, deviceId } = context;
		const made: StoredReport = {
			...args,
			...said,
			seen: args.seen ?? "",
			...{ businessId, businessDay: dated.day, userId, deviceId },
			createdAt: dated.at,
		};
		await context.insert(shiftReport, made);
		const concerns = concernsOf(opened.openingFloat, made);
		if (opened.reportId === null)
			await context.update(shift, shiftId, { reportId: id });
		else if (opened.reportId !== id) concerns.push({ cause: "closed_twice" });
		if (context.server) concerns.push(...(await unlikeHere(context, made)));
		for (const concern of concerns)
			await raise(context, null, { ...concern, shiftId });
	},
});

/** JSON of a value on the wire. */
function toText<Schema extends z.ZodType>(
	schema: Schema,
	value: z.output<Schema>,
): string {
	return JSON.stringify(z.encode(schema, value));
}

/** What a report says. Amounts are in millionths. */
export function readReport({
	counted: found,
	pieces: cash,
	figures,
}: Pick<StoredReport, "counted" | "pieces" | "figures">) {
	return {
		counted: z.decode(counted, JSON.parse(found)),
		pieces: cash === null ? null : z.decode(pieces, JSON.parse(cash)),
		figures: z.decode(shiftFigures, JSON.parse(figures)),
	};
}
type Report = ReturnType<typeof readReport>;

/** What should be there by each method and what was found, in millionths; null if nobody looked. */
export function comparedOf(
	openingFloat: number,
	{ counted, figures }: Pick<Report, "counted" | "figures">,
): { method: string; expected: number; counted: number | null }[] {
	const expected = expectedOf(openingFloat, figures);
	const found = new Map<string, number>();
	for (const { method, amount } of counted)
		found.set(method, (found.get(method) ?? 0) + amount);
	return [...new Set([...expected.keys(), ...found.keys()])].map((method) => ({
		...{ method, expected: expected.get(method) ?? 0 },
		counted: found.get(method) ?? null,
	}));
}

/**
 * Returns what a count lacks, as a negative sum, or else what it has over. What one method has over never hides what another
 * one lacks.
 */
export function differenceOf(compared: ReturnType<typeof comparedOf>): number {
	let [lacking, over] = [0, 0];
	for (const { expected, counted } of compared) {
		const difference = (counted ?? expected) - expected;
		if (difference < 0) lacking += difference;
		else over += difference;
	}
	return lacking || over;
}

function concernsOf(openingFloat: number, made: StoredReport): InboxConcern[] {
	// A drawer that nobody looked into may be empty.
	const compared = comparedOf(openingFloat, readReport(made)).map((one) =>
		one.method === "CASH" ? { ...one, counted: one.counted ?? 0 } : one,
	);
	const amount = differenceOf(compared);
	return amount === 0 ? [] : [{ cause: "drawer_differs", amount }];
}

/** Compares a report with the facts of its shift, as the server has them. */
async function unlikeHere(
	context: Context,
	made: StoredReport,
): Promise<InboxConcern[]> {
	const tags = tagsOf(made.seen);
	const all = await readShiftFacts(context, context.businessId, made.shiftId);
	const here = figuresOf(all.filter(({ id }) => tags.has(tagOf(id))));
	const concerns: InboxConcern[] = [];
	const said = readReport(made).figures;
	// What it names without counting it would be missed nowhere when it comes.
	const isWhole = tags.size === said.facts;
	if (!isWhole || toText(shiftFigures, here) !== made.figures) {
		const amount = cashIn(said) - cashIn(here);
		concerns.push({ cause: "figures_differ", amount });
	}
	// They were here before the report, and its till did not have them.
	const late = all.filter(({ id }) => !tags.has(tagOf(id)));
	if (late.length > 0)
		concerns.push({ cause: "late_for_shift", amount: cashIn(figuresOf(late)) });
	return concerns;
}

const cashIn = (figures: ShiftFigures) =>
	expectedOf(0, figures).get("CASH") ?? 0;

/** The shift that is open at a drawer, which what is done there belongs to. */
async function openShiftAt(
	tx: Pick<Connection, "all">,
	businessId: string,
	drawerId: string,
): Promise<string | undefined> {
	const [open] = await tx.all(
		"SELECT id FROM shifts WHERE business_id = ? AND drawer_id = ? AND report_id IS NULL AND deleted = 0 ORDER BY created_at DESC, id DESC LIMIT 1",
		businessId,
		drawerId,
	);
	return open?.id as string | undefined;
}

/** Fixes the business day and the shift of a fact when it is made. */
export async function fixDayAndShift<
	Args extends {
		businessDay?: string | undefined;
		shiftId?: string | undefined;
	},
>(
	context: Context,
	args: Args,
	{ drawerId }: Pick<Device, "drawerId">,
): Promise<Args & { businessDay: string }> {
	const { businessId } = context;
	const fixed = await fixDay(context, args);
	const shiftId =
		args.shiftId ?? (await openShiftAt(context, businessId, drawerId));
	return shiftId === undefined ? fixed : { ...fixed, shiftId };
}

/** Returns what a person should look at if a fact comes after its shift was counted without it. */
export async function lateConcerns(
	context: Context,
	fact: { id: string; shiftId?: string | undefined; amount: number },
): Promise<InboxConcern[]> {
	const { id, shiftId, amount } = fact;
	if (shiftId === undefined) return [];
	const reportId = (await context.find(shift, shiftId))?.reportId ?? null;
	const report =
		reportId === null ? undefined : await context.find(shiftReport, reportId);
	if (!report || tagsOf(report.seen).has(tagOf(id))) return [];
	return [{ cause: "late_for_shift", shiftId, amount }];
}
