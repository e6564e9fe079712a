import * as z from "zod";
import { cashCategories } from "./cash-categories.ts";
import { cashConcerns } from "./cashier-limits.ts";
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
};

/** Records cash that was put into a drawer or taken out of it without a sale. */
export const cashMove = defineMutation({
	name: "cash.move",
	args: z.strictObject({
		...said,
		/** What was put in; negative is what was taken out. */
		amount: signedQuantity.refine((amount) => amount !== 0, "Must not be 0"),
		category: z.enum(cashCategories),
	}),
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
		move(context, { ...fact, kind: "cash", amount, category }),
});

/** Records that a drawer was opened without a sale. */
export const drawerOpen = defineMutation({
	name: "drawer.open",
	args: z.strictObject(said),
	sentence: ({ reason }) => `Opened the drawer without a sale: ${reason}`,
	examples: [{ id: "drawer", reason: "Change for a note" }],
	prepare: fixDayAndShift,
	apply: (context, fact) =>
		move(context, { ...fact, kind: "drawer", amount: 0 }),
});

interface Move
	extends Pick<
		z.output<typeof paymentRow>,
		"id" | "kind" | "reason" | "amount" | "category" | "shiftId"
	> {
	businessDay?: string | undefined;
}

async function move(
	context: Context,
	{ businessDay, ...fact }: Move,
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
		...(await cashConcerns(context, fact)),
		...(await lateConcerns(context, fact)),
	])
		await raise(context, null, concern);
}
