import type * as z from "zod";
import { ShopError } from "../protocol/errors.ts";
import { accountOf, readBalances } from "./customer-account.ts";
import type { Context, RowOf } from "./entity.ts";
import {
	creditMethod,
	readCustomer,
	readPayments,
	sumOf,
	type Tender,
	writePayments,
} from "./payment.ts";
import type { refund } from "./refund.ts";
import type { sale } from "./sale.ts";
import { coinOf } from "./sale-payment.ts";

type StoredRefund = z.output<typeof refund.row>;

/** What a refund gave back, as far as its own row tells. */
export interface EarlierRefund {
	id: string;
	/** Null if payments beside it tell, or if it was the sale's own. */
	paymentMethod: string | null;
	amount: number;
	/** What was taken back for it. */
	total: number;
	hasPayments: boolean;
}

/** What a refund's row says of the money, and the payments beside it. */
interface RefundPayment
	extends Pick<StoredRefund, "paymentMethod" | "rounding" | "hasPayments"> {
	entries: Tender[];
}

/**
 * Returns how the money of a refund or void is given back: as somebody said, or else as the sale was paid.
 *
 * @param earlier the sale's refunds before this one
 */
export async function refundPayment(
	context: Context,
	sold: RowOf<typeof sale>,
	{
		total,
		tenders,
		earlier,
	}: {
		total: number;
		tenders: readonly Tender[] | undefined;
		earlier: readonly EarlierRefund[];
	},
): Promise<RefundPayment> {
	const due = dueOf(sold, total, earlier);
	if (!tenders && !sold.hasPayments)
		return { rounding: total - due || undefined, entries: [] };
	const given = tenders ?? (await usualTenders(context, sold.id, due, earlier));
	const rounding = total - sumOf(given) || undefined;
	const [first, ...others] = given;
	if (first && others.length === 0 && first.method !== creditMethod)
		return { paymentMethod: first.method, rounding, entries: [] };
	const entries = given.map((one) => ({ ...one, amount: -one.amount }));
	return { rounding, hasPayments: true, entries };
}

/** Writes the payments of a refund that its row does not tell. */
export async function payBack(
	context: Context,
	sold: RowOf<typeof sale>,
	{ id, businessDay, createdAt }: StoredRefund,
	entries: readonly Tender[],
): Promise<void> {
	if (entries.length === 0) return;
	const customerId = sold.hasPayments
		? await readCustomer(context, context.businessId, sold.id)
		: null;
	if (!customerId && entries.some(({ method }) => method === creditMethod))
		throw new ShopError(
			"invalid_args",
			"The sale names no customer",
			"tenders",
		);
	await writePayments(
		context,
		{ kind: "refund", factId: id, customerId, businessDay, createdAt },
		entries,
	);
}

/**
 * How much a sale gives back for a total: what it brought in, and not a coin more. What it was rounded up by goes back with
 * the last of it.
 */
function dueOf(
	{ total: whole, paid, rounding = 0 }: RowOf<typeof sale>,
	total: number,
	earlier: readonly EarlierRefund[],
): number {
	let [given, back] = [0, total];
	for (const one of earlier) {
		given += one.amount;
		back += one.total;
	}
	const left = Math.max(Math.min(paid, whole) - rounding - given, 0);
	const kept = back === whole ? Math.max(-rounding, 0) : 0;
	return Math.min(left, total + kept);
}

/**
 * Returns by how much the money that was given back for a sale is more than it brought in and its customer has paid since.
 * A coin is rounding.
 *
 * @param made the last refund, with its payments
 * @param earlier the sale's refunds before it
 */
export async function givenTooMuch(
	context: Context,
	sold: RowOf<typeof sale>,
	made: StoredRefund,
	earlier: readonly EarlierRefund[],
): Promise<number> {
	const { businessId } = context;
	const read = async (kind: "sale" | "refund", ids: readonly string[]) =>
		sumOf((await readPayments(context, businessId, kind, ids)).filter(isMoney));
	const over = Math.max(sold.paid - sold.total, 0);
	let rest = sold.hasPayments
		? await read("sale", [sold.id])
		: isMoney({ method: sold.paymentMethod })
			? sold.paid - (sold.rounding ?? 0) - over
			: 0;
	const all = [
		...earlier,
		{
			id: made.id,
			paymentMethod: made.paymentMethod ?? null,
			amount: made.total - (made.rounding ?? 0),
			hasPayments: made.hasPayments === true,
		},
	];
	for (const { amount, hasPayments, ...one } of all)
		if (
			!hasPayments &&
			isMoney({ method: one.paymentMethod ?? sold.paymentMethod })
		)
			rest -= amount;
	const beside = all.filter(({ hasPayments }) => hasPayments);
	rest += await read(
		"refund",
		beside.map(({ id }) => id),
	);
	if (rest >= 0 || -rest <= (await coinOf(context))) return 0;
	const customerId = await readCustomer(context, businessId, sold.id);
	if (customerId === null) return -rest;
	const account = await accountOf(context, businessId, customerId);
	const balances = await readBalances(context, businessId, [account]);
	return Math.min(-rest, Math.max(balances.get(account) ?? 0, 0));
}

const isMoney = ({ method }: { method: string }) => method !== creditMethod;

/** Takes back what was lent first, then by the sale's own methods, cash last. */
async function usualTenders(
	context: Context,
	saleId: string,
	total: number,
	earlier: readonly EarlierRefund[],
): Promise<Tender[]> {
	const left = new Map<string, number>();
	const beside = earlier.filter(({ paymentMethod }) => paymentMethod === null);
	const ids = beside.map(({ id }) => id);
	for (const { method, amount } of [
		...(await readPayments(context, context.businessId, "sale", [saleId])),
		...(await readPayments(context, context.businessId, "refund", ids)),
		...earlier.flatMap(({ paymentMethod: method, amount }) =>
			method === null ? [] : [{ method, amount: -amount }],
		),
	])
		left.set(method, (left.get(method) ?? 0) + amount);
	const rank = (method: string) =>
		method === creditMethod ? 0 : method === "CASH" ? 2 : 1;
	const methods = [...left.keys()].sort(
		(a, b) => rank(a) - rank(b) || (a < b ? -1 : 1),
	);
	const tenders: Tender[] = [];
	let rest = total;
	for (const method of methods) {
		const amount = Math.min(left.get(method) ?? 0, rest);
		if (amount <= 0) continue;
		tenders.push({ method, amount });
		rest -= amount;
	}
	return tenders;
}
