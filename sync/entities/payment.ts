import * as z from "zod";
import type { Connection } from "../store/store.ts";
import { cashCategories } from "./cash-categories.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
} from "./entity.ts";
import { dateFact, fixDay } from "./fact-date.ts";
import {
	computed,
	day,
	positiveAmount,
	recordId,
	requiredText,
	signedQuantity,
	text,
	timestamp,
} from "./fields.ts";
import { type InboxConcern, raise } from "./inbox.ts";
import { listOf } from "./sentence.ts";
import { fixDayAndShift, lateConcerns } from "./shift.ts";

/** The method of what a customer owes: no money moves yet. */
export const creditMethod = "CREDIT";
/** What a sale's paymentMethod says of several methods. */
export const mixedMethod = "MIXED";
/** The most tenders of one sale, refund or collection. */
export const tendersMax = 10;

/** What the payer's message or slip names the payment by, such as an M-PESA code: capital letters and digits alone. */
export const paymentCode = z
	.string()
	.regex(/^[A-Z0-9]{1,40}$/, "Must be 1 to 40 capital letters and digits");
const method = requiredText(50);

const paymentKinds = [
	"sale",
	"refund",
	"collection",
	"adjustment",
	"cash",
	"drawer",
	"removal",
	"supplier",
] as const;

export const paymentRow = z
	.object({
		id: recordId,
		businessId: recordId,
		/** What moved the money; `supplier` is paid for goods. An adjustment changes what a customer owes and moves none, nor does opening a drawer or taking lines out of a sale. */
		kind: z.enum(paymentKinds),
		/** The sale or refund; of any other kind the id of its first row. */
		factId: recordId,
		method: text(500),
		/** What the shop got, less the change; negative is what it gave. With CREDIT, what the customer owes more. */
		amount: computed,
		code: paymentCode.nullable(),
		customerId: recordId.nullable(),
		reason: text(500).nullable(),
		businessDay: day,
		userId: recordId.nullable(),
		deviceId: recordId.nullable(),
		createdAt: timestamp,
		/** Why cash was put in or taken out. Absent of other kinds. */
		category: z.enum(cashCategories).optional(),
		/** The shift whose drawer it went through. Absent where there was none, and of a sale or refund, which names it itself. */
		shiftId: recordId.optional(),
		/** What it is a deposit for, or was. Absent of anything else. */
		layawayId: recordId.optional(),
		/** Whom the shop paid for goods. Absent of anything else, and of goods from nobody in particular. */
		supplierId: recordId.optional(),
	})
	.meta({ id: "Payment" });
type StoredPayment = z.output<typeof paymentRow>;

/**
 * One amount that moved by one method: a fact. A sale that is paid by one method, without credit, is its own payment and has
 * none beside it.
 */
export const payment = defineEntity({
	name: "payment",
	table: "payments",
	row: paymentRow,
	isNeededFirst: true,
});

/** How a sale, refund or collection is paid. */
export const tender = z.strictObject({
	method,
	amount: positiveAmount,
	code: paymentCode.optional(),
});
export const tenders = z.array(tender).min(1).max(tendersMax);
export type Tender = z.output<typeof tender>;

/** A fact that money moved by. */
type Moved = Pick<
	StoredPayment,
	"kind" | "factId" | "customerId" | "businessDay" | "createdAt"
> & {
	reason?: StoredPayment["reason"];
	shiftId?: StoredPayment["shiftId"];
	layawayId?: StoredPayment["layawayId"];
	supplierId?: StoredPayment["supplierId"];
	category?: StoredPayment["category"];
};

/** Writes what moved by each method. */
export async function writePayments(
	context: Context,
	moved: Moved,
	entries: readonly Tender[],
): Promise<void> {
	for (const entry of entries)
		await insertPayment(context, moved, { id: context.nextId(), ...entry });
}

/** Writes what moved by one method. */
export async function insertPayment(
	context: Context,
	moved: Moved,
	{ code, ...entry }: Tender & { id: string },
): Promise<void> {
	const { businessId, userId, deviceId } = context;
	const { reason = null } = moved;
	await context.insert(payment, {
		...{ ...moved, ...entry, reason, code: code ?? null },
		...{ businessId, userId, deviceId },
	});
}

/** Reads what moved by each method with some facts of a kind. */
export async function readPayments(
	tx: Pick<Connection, "all">,
	businessId: string,
	kind: StoredPayment["kind"],
	factIds: readonly string[],
): Promise<Tender[]> {
	if (factIds.length === 0) return [];
	const rows = await tx.all(
		`SELECT method, amount, code FROM payments
     WHERE business_id = ? AND fact_id IN (${factIds.map(() => "?").join(", ")}) AND kind = ? AND deleted = 0`,
		businessId,
		...factIds,
		kind,
	);
	return rows.map(({ method, amount, code }) => ({
		method: method as string,
		amount: Number(amount),
		...(code !== null && { code: code as string }),
	}));
}

/** Returns whom a sale names. */
export async function readCustomer(
	tx: Pick<Connection, "all">,
	businessId: string,
	saleId: string,
): Promise<string | null> {
	const [row] = await tx.all(
		"SELECT max(customer_id) AS id FROM payments WHERE business_id = ? AND fact_id = ? AND kind = 'sale'",
		businessId,
		saleId,
	);
	return (row?.id as string | null | undefined) ?? null;
}

/** Returns whether a code has named a payment of another fact. */
export async function isCodeUsed(
	tx: Pick<Connection, "all">,
	businessId: string,
	code: string,
	butNot = "",
): Promise<boolean> {
	const others = await tx.all(
		`SELECT 1 AS used FROM sales WHERE business_id = ? AND payment_code = ? AND id <> ?
     UNION ALL SELECT 1 FROM payments WHERE business_id = ? AND code = ? AND fact_id <> ? LIMIT 1`,
		...[businessId, code, butNot],
		...[businessId, code, butNot],
	);
	return others.length > 0;
}

/** Returns the codes that named a payment of another fact before: one payment is no two. */
export async function reusedCodes(
	context: Context,
	factId: string,
	entries: readonly Pick<Tender, "code" | "amount">[],
): Promise<InboxConcern[]> {
	const concerns: InboxConcern[] = [];
	for (const { code, amount } of entries)
		if (
			code !== undefined &&
			(await isCodeUsed(context, context.businessId, code, factId))
		)
			concerns.push({ cause: "code_reused", amount });
	return concerns;
}

export const sumOf = (tenders: readonly Pick<Tender, "amount">[]) =>
	tenders.reduce((sum, { amount }) => sum + amount, 0);

/** Money that a customer gives or gets. */
export const moneyTenders = tenders.refine(
	(all) => all.every(({ method }) => method !== creditMethod),
	"A debt can't be paid on credit",
);

/** A customer pays what they owe, or a part of it, or more: the rest is theirs. A deposit is theirs until the goods go. */
export const paymentCollect = defineMutation({
	name: "payment.collect",
	args: z.strictObject({
		id: recordId,
		customerId: recordId,
		tenders: moneyTenders,
		reason: paymentRow.shape.reason.default(null),
		businessDay: day.optional(),
		/** The shift of the drawer, fixed when it is made. */
		shiftId: recordId.optional(),
		/** What it is a deposit for. */
		layawayId: recordId.optional(),
	}),
	since: { shiftId: 2, layawayId: 3 },
	sentence: ({ customerId, tenders }) =>
		`Collected ${listOf(tenders.map(({ amount, method }) => `${amount} by ${method}`))} from customer ${customerId}`,
	examples: [
		{
			id: "collection",
			customerId: "customer",
			tenders: [
				{ method: "CASH", amount: 200 },
				{ method: "MPESA", amount: 50, code: "UIBJN5YMQC" },
			],
		},
		{
			id: "deposit",
			customerId: "customer",
			tenders: [{ method: "CASH", amount: 600 }],
			layawayId: "layaway",
		},
	],
	prepare: fixDayAndShift,
	async apply(context, { tenders, ...fact }) {
		const by = -sumOf(tenders);
		await changeBalance(context, { ...fact, kind: "collection", by }, tenders);
	},
});

/** Sets right what a customer owes where no money moves: what they owed before, or what they need not pay. */
export const paymentAdjust = defineMutation({
	name: "payment.adjust",
	args: z.strictObject({
		id: recordId,
		customerId: recordId,
		/** What the customer owes more. */
		amount: signedQuantity.refine((amount) => amount !== 0, "Must not be 0"),
		reason: paymentRow.shape.reason
			.unwrap()
			.refine((reason) => reason.trim() !== "", "Must not be empty"),
		businessDay: day.optional(),
	}),
	roles: managing,
	sentence: ({ customerId, amount, reason }) =>
		`Changed what customer ${customerId} owes by ${amount}: ${reason}`,
	examples: [
		{
			id: "adjustment",
			customerId: "customer",
			amount: 120.5,
			reason: "Owed in the old book",
		},
	],
	prepare: fixDay,
	async apply(context, { amount: by, ...fact }) {
		await changeBalance(context, { ...fact, kind: "adjustment", by }, []);
	},
});

interface BalanceChange
	extends Pick<
		StoredPayment,
		"id" | "kind" | "reason" | "shiftId" | "layawayId"
	> {
	customerId: string;
	businessDay?: string | undefined;
	/** What the customer owes more. */
	by: number;
}

/**
 * Changes what a customer owes, by a payment that has the fact's id, and writes the money that moved with it.
 *
 * @returns false if it is recorded already
 */
export async function changeBalance(
	context: Context,
	{ by, businessDay, ...fact }: BalanceChange,
	tenders: readonly Tender[],
): Promise<boolean> {
	const { id, kind, customerId, shiftId } = fact;
	const isSame = (a: StoredPayment) =>
		a.kind === kind && a.customerId === customerId && a.amount === by;
	if (await context.isRecorded(payment, id, isSame)) return false;
	const dated = await dateFact(context, businessDay);
	const { id: factId, ...said } = fact;
	const moved = {
		...{ ...said, factId },
		...{ businessDay: dated.day, createdAt: dated.at },
	};
	await insertPayment(context, moved, { id, method: creditMethod, amount: by });
	await writePayments(context, moved, tenders);
	const concerns = [
		...(await reusedCodes(context, id, tenders)),
		...(await lateConcerns(context, { id, shiftId, amount: -by })),
	];
	for (const concern of concerns) await raise(context, null, concern);
	return true;
}
