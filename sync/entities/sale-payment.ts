import { ShopError } from "../protocol/errors.ts";
import { customer } from "./customer.ts";
import { accountOf, readBalances } from "./customer-account.ts";
import type { Context } from "./entity.ts";
import type { InboxConcern } from "./inbox.ts";
import {
	creditMethod,
	mixedMethod,
	readPayments,
	sumOf,
	type Tender,
	writePayments,
} from "./payment.ts";

/*
 * How a sale is paid. By one method and without a customer, the sale's own row says it. Else payments beside it do, whose
 * sum is what was due: change is given in cash, and what a customer doesn't pay is credit.
 */

/** What a sale's arguments say of its payment. */
interface PaymentArgs {
	/** Null or 0 is the exact total. */
	paid: number | null;
	rounding?: number | undefined;
	paymentMethod: string;
	paymentCode?: string | undefined;
	tenders?: readonly Tender[] | undefined;
	customerId?: string | undefined;
}

/** What the sale's row says of its payment, and the payments beside it. */
interface SalePayment {
	paid: number;
	paymentMethod: string;
	paymentCode?: string | undefined;
	hasPayments?: true;
	entries: Tender[];
}

export function paymentOf(args: PaymentArgs, total: number): SalePayment {
	const { paymentMethod, paymentCode, rounding = 0, customerId } = args;
	const paid = args.paid || total;
	const [first, ...others] = args.tenders ?? [];
	if (customerId === undefined && first && others.length === 0)
		return {
			paid: first.amount + rounding,
			paymentMethod: first.method,
			paymentCode: first.code,
			entries: [],
		};
	if (customerId === undefined && !first)
		return { paid, paymentMethod, paymentCode, entries: [] };
	const given = args.tenders ?? [
		{ method: paymentMethod, amount: paid - rounding, code: paymentCode },
	];
	const over = sumOf(given) + rounding - total;
	const isLent = over < 0 && customerId !== undefined;
	const entries = merged([
		...given,
		{ method: "CASH", amount: -Math.max(over, 0) },
		{ method: creditMethod, amount: isLent ? -over : 0 },
	]);
	const [method = first?.method ?? paymentMethod, ...more] = new Set(
		entries.map(({ method }) => method),
	);
	return {
		paid: isLent ? total : total + over,
		paymentMethod: more.length === 0 ? method : mixedMethod,
		...(entries.length > 0 && { hasPayments: true }),
		entries,
	};
}

/** Adds up what has the same method and code, and leaves out nothings. Change is cash, and is given out of the cash. */
function merged(tenders: readonly Tender[]): Tender[] {
	const entries: Tender[] = [];
	for (const { method, amount, code } of tenders) {
		const known = entries.find(
			(one) => one.method === method && one.code === code,
		);
		if (known) known.amount += amount;
		else entries.push({ method, amount, ...(code !== undefined && { code }) });
	}
	return entries.filter(({ amount }) => amount !== 0);
}

/**
 * Writes a sale's payments.
 *
 * @returns what a person should look at
 */
export async function pay(
	context: Context,
	sold: { id: string; businessDay: string; createdAt: string },
	customerId: string | undefined,
	entries: readonly Tender[],
): Promise<InboxConcern[]> {
	const { id, businessDay, createdAt } = sold;
	await writePayments(
		context,
		{
			...{ kind: "sale", factId: id, customerId: customerId ?? null },
			...{ businessDay, createdAt },
		},
		entries,
	);
	const isLent = entries.some(({ method }) => method === creditMethod);
	if (customerId === undefined || !isLent) return [];
	const { businessId } = context;
	const account = await accountOf(context, businessId, customerId);
	const limit = (await context.find(customer, account))?.creditLimit ?? null;
	if (limit === null) return [];
	const balances = await readBalances(context, businessId, [account]);
	const over = (balances.get(account) ?? 0) - limit;
	return over > 0 ? [{ cause: "over_limit", amount: over }] : [];
}

/** @throws ShopError `id_reused` if a sale with the same lines was paid otherwise */
export async function assertSamePayments(
	context: Context,
	saleId: string,
	entries: readonly Tender[],
): Promise<void> {
	const textOf = (all: readonly Tender[]) =>
		JSON.stringify(
			all
				.map(({ method, amount, code }) => [method, amount, code ?? null])
				.sort(),
		);
	const recorded = await readPayments(context, context.businessId, "sale", [
		saleId,
	]);
	if (textOf(recorded) !== textOf(entries))
		throw new ShopError("id_reused", "Another sale has this id", "id");
}
