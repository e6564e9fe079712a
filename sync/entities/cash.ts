import * as z from "zod";
import {
	type Approval,
	approval,
	cashBeyond,
	limitConcerns,
} from "./approval.ts";
import { cashCategories } from "./cash-categories.ts";
import { type Context, defineMutation } from "./entity.ts";
import { dateFact } from "./fact-date.ts";
import { day, recordId, requiredText, signedQuantity } from "./fields.ts";
import { raise } from "./inbox.ts";
import { payment, type paymentRow } from "./payment.ts";
import { fixDayAndShift, lateConcerns } from "./shift.ts";

const said = {
	id: recordId,
	reason: requiredText(500),
	businessDay: day.optional(),
	/** The shift of the drawer, fixed when it is made. */
	shiftId: recordId.optional(),
	/** Where it goes beyond its maker's limits. */
	approval: approval.optional(),
};
const since = { approval: 2 };

/** Records cash that was put into a drawer or taken out of it without a sale. */
export const cashMove = defineMutation({
	name: "cash.move",
	args: z.strictObject({
		...said,
		/** What was put in; negative is what was taken out. */
		amount: signedQuantity.refine((amount) => amount !== 0, "Must not be 0"),
		category: z.enum(cashCategories),
	}),
	since,
	sentence: ({ amount, category, reason }) =>
		amount > 0
			? `Put ${amount} into the drawer (${category}): ${reason}`
			: `Took ${-amount} out of the drawer (${category}): ${reason}`,
	examples: [
		{
			id: "cash",
			amount: -150,
			category: "expense",
			reason: "Charcoal",
			shiftId: "shift",
		},
	],
	prepare: fixDayAndShift,
	apply: (context, { amount, category, ...fact }) =>
		recordMove(context, { ...fact, kind: "cash", amount, category }),
});

/** Records that a drawer was opened without a sale. */
export const drawerOpen = defineMutation({
	name: "drawer.open",
	args: z.strictObject(said),
	since,
	sentence: ({ reason }) => `Opened the drawer without a sale: ${reason}`,
	examples: [{ id: "drawer", reason: "Change for a note" }],
	prepare: fixDayAndShift,
	apply: (context, fact) =>
		recordMove(context, { ...fact, kind: "drawer", amount: 0 }),
});

/** The mutation that records each kind. */
const actOf = {
	cash: "cash.move",
	drawer: "drawer.open",
	removal: "cart.remove",
};

interface Move
	extends Pick<
		z.output<typeof paymentRow>,
		"id" | "reason" | "amount" | "category" | "shiftId"
	> {
	kind: keyof typeof actOf;
	businessDay?: string | undefined;
	approval?: Approval | undefined;
}

/** Records what happened at a drawer without a sale, unless it is recorded already. */
export async function recordMove(
	context: Context,
	{ businessDay, approval, ...fact }: Move,
): Promise<void> {
	const { id, kind, amount, category, shiftId } = fact;
	const isSame = (a: z.output<typeof paymentRow>) =>
		a.kind === kind && a.amount === amount && a.category === category;
	if (await context.isRecorded(payment, id, isSame)) return;
	const dated = await dateFact(context, businessDay);
	const { businessId, userId, deviceId } = context;
	await context.insert(payment, {
		...{ ...fact, businessId, userId, deviceId, shiftId },
		...{ factId: id, method: "CASH", code: null, customerId: null },
		...{ businessDay: dated.day, createdAt: dated.at },
	});
	for (const concern of [
		...(await limitConcerns(context, {
			...{ act: actOf[kind], id, approval },
			beyond: (limits) => cashBeyond(fact, limits),
		})),
		...(await lateConcerns(context, fact)),
	])
		await raise(context, null, concern);
}
