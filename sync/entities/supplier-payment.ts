import * as z from "zod";
import {
	type Approval,
	approval,
	cashBeyond,
	limitConcerns,
} from "./approval.ts";
import { type Context, defineMutation, managing } from "./entity.ts";
import { dateFact } from "./fact-date.ts";
import { day, recordId } from "./fields.ts";
import { raise } from "./inbox.ts";
import {
	insertPayment,
	moneyTenders,
	payment,
	paymentRow,
	readPayments,
	sumOf,
	type Tender,
} from "./payment.ts";
import { listOf } from "./sentence.ts";
import { fixDayAndShift, lateConcerns } from "./shift.ts";

/** Money that a supplier was given with a delivery or without one, or gave back. */
interface SupplierMoney {
	/** The mutation's name. */
	act: string;
	/** The delivery, or the payment itself. */
	factId: string;
	supplierId: string | undefined;
	/** What the shop got by each method; negative is what it gave. */
	entries: readonly Tender[];
	/** The id of the first row, if the fact is the payment itself. */
	firstId?: string;
	reason?: string | null;
	businessDay: string;
	createdAt: string;
	shiftId: string | undefined;
	approval: Approval | undefined;
}

/** Writes what a supplier was given or gave back. Only cash goes through the drawer of a shift. */
export async function writeSupplierMoney(
	context: Context,
	{ act, entries, firstId, shiftId, approval, ...fact }: SupplierMoney,
): Promise<void> {
	const moved = {
		...fact,
		kind: "supplier" as const,
		category: "supplier" as const,
		customerId: null,
	};
	for (const [i, entry] of entries.entries())
		await insertPayment(
			context,
			entry.method === "CASH" ? { ...moved, shiftId } : moved,
			{ id: (i === 0 && firstId) || context.nextId(), ...entry },
		);
	const id = fact.factId;
	const cash = sumOf(entries.filter(({ method }) => method === "CASH"));
	const concerns = await limitConcerns(context, {
		...{ act, id, approval },
		beyond: (limits) =>
			cashBeyond({ kind: "cash", amount: cash, shiftId }, limits),
	});
	if (cash !== 0)
		concerns.push(
			...(await lateConcerns(context, { id, shiftId, amount: cash })),
		);
	for (const concern of concerns) await raise(context, null, concern);
}

/** Pays a supplier what the shop owes, or a part of it, or in advance. */
export const paymentRemit = defineMutation({
	name: "payment.remit",
	args: z.strictObject({
		id: recordId,
		supplierId: recordId,
		tenders: moneyTenders,
		reason: paymentRow.shape.reason.default(null),
		businessDay: day.optional(),
		/** The shift of the drawer that the cash is taken from, fixed when it is made. */
		shiftId: recordId.optional(),
		/** Where it goes beyond its maker's limits. */
		approval: approval.optional(),
	}),
	roles: managing,
	sentence: ({ supplierId, tenders }) =>
		`Paid ${listOf(tenders.map(({ amount, method }) => `${amount} by ${method}`))} to supplier ${supplierId}`,
	examples: [
		{
			id: "remittance",
			supplierId: "supplier",
			tenders: [
				{ method: "CASH", amount: 300 },
				{ method: "BANK", amount: 500 },
			],
		},
	],
	prepare: fixDayAndShift,
	async apply(context, { id, tenders, businessDay, ...fact }) {
		const given = (all: readonly Tender[]) =>
			JSON.stringify(
				all
					.map(({ method, amount, code }) => [method, amount, code ?? null])
					.sort(),
			);
		const entries = tenders.map((one) => ({ ...one, amount: -one.amount }));
		const known = await readPayments(context, context.businessId, "supplier", [
			id,
		]);
		const isSame = (a: z.output<typeof paymentRow>) =>
			a.kind === "supplier" &&
			a.supplierId === fact.supplierId &&
			given(known) === given(entries);
		if (await context.isRecorded(payment, id, isSame)) return;
		const dated = await dateFact(context, businessDay);
		await writeSupplierMoney(context, {
			...{ ...fact, entries, act: paymentRemit.name },
			...{ factId: id, firstId: id },
			...{ businessDay: dated.day, createdAt: dated.at },
			shiftId: fact.shiftId,
			approval: fact.approval,
		});
	},
});
