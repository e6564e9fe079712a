import * as z from "zod";
import { approval, limitConcerns } from "./approval.ts";
import { accountOf, readBalances } from "./customer-account.ts";
import { defineMutation } from "./entity.ts";
import { day, recordId } from "./fields.ts";
import { type InboxConcern, raise } from "./inbox.ts";
import { changeBalance, moneyTenders, paymentRow, sumOf } from "./payment.ts";
import { listOf } from "./sentence.ts";
import { fixDayAndShift } from "./shift.ts";

/** Gives a customer back what is theirs, such as the deposits of a layaway that was cancelled. */
export const paymentPayout = defineMutation({
	name: "payment.payout",
	args: z.strictObject({
		id: recordId,
		customerId: recordId,
		tenders: moneyTenders,
		reason: paymentRow.shape.reason.default(null),
		/** What it was deposited for. */
		layawayId: recordId.optional(),
		businessDay: day.optional(),
		/** The shift of the drawer, fixed when it is made. */
		shiftId: recordId.optional(),
		/** Where it goes beyond its maker's limits. */
		approval: approval.optional(),
	}),
	sentence: ({ customerId, tenders }) =>
		`Paid ${listOf(tenders.map(({ amount, method }) => `${amount} by ${method}`))} out to customer ${customerId}`,
	examples: [
		{
			id: "payout",
			customerId: "customer",
			tenders: [{ method: "CASH", amount: 50 }],
			layawayId: "layaway",
			reason: "Bought elsewhere",
		},
	],
	prepare: fixDayAndShift,
	async apply(context, { tenders, approval, ...fact }) {
		const { id, customerId } = fact;
		const amount = sumOf(tenders);
		const given = tenders.map((one) => ({ ...one, amount: -one.amount }));
		const paidOut = { ...fact, kind: "collection", by: amount } as const;
		if (!(await changeBalance(context, paidOut, given))) return;
		const concerns: InboxConcern[] = await limitConcerns(context, {
			...{ act: paymentPayout.name, id, approval },
			beyond: ({ refundMax }) =>
				refundMax === undefined || amount <= refundMax
					? []
					: [{ cause: "refund_over_limit", amount }],
		});
		const { businessId } = context;
		const account = await accountOf(context, businessId, customerId);
		const balances = await readBalances(context, businessId, [account]);
		const over = Math.min(amount, balances.get(account) ?? 0);
		if (over > 0) concerns.push({ cause: "paid_out_too_much", amount: over });
		for (const concern of concerns) await raise(context, null, concern);
	},
});
