import { ShopError } from "../protocol/errors.ts";
import { business } from "./business.ts";
import { cashOf } from "./currency.ts";
import { customer } from "./customer.ts";
import { accountOf, readBalances } from "./customer-account.ts";
import type { Context } from "./entity.ts";
import type { InboxConcern } from "./inbox.ts";
import { toMicros } from "./money.ts";
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

/** A sale as its row says it was paid. */
interface PaidSale {
	id: string;
	total: number;
	paid: number;
	paymentMethod: string;
	rounding?: number | undefined;
	businessDay: string;
	createdAt: string;
}

/** Returns the cash that a sale brought in, negative if more change was given than cash was handed over. */
export function cashOfSale(
	{ total, paid, rounding = 0, paymentMethod }: Omit<PaidSale, "id">,
	entries: readonly Tender[],
): number {
	if (entries.length > 0)
		return sumOf(entries.filter(({ method }) => method === "CASH"));
	const change = Math.max(paid - total, 0);
	return (paymentMethod === "CASH" ? paid - rounding : 0) - change;
}

/** Returns the smallest amount of cash that changes hands, in millionths. Without the shop, no rounding is doubted. */
export async function coinOf({ find, businessId }: Context): Promise<number> {
	const shop = await find(business, businessId);
	if (!shop) return Number.POSITIVE_INFINITY;
	return shop.cashUnit ?? toMicros(cashOf(shop.currency).unit);
}

/**
 * Writes a sale's payments.
 *
 * @returns what a person should look at
 */
export async function pay(
	context: Context,
	sold: PaidSale,
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
	// An API's sale may be on credit without saying whose.
	const isNobodys = entries.length === 0 && sold.paymentMethod === creditMethod;
	const over =
		customerId !== undefined && isLent
			? await beyondLimit(context, customerId)
			: isNobodys
				? sold.total
				: 0;
	return over > 0 ? [{ cause: "over_limit", amount: over }] : [];
}

/** Returns by how much a customer owes more than their limit. */
async function beyondLimit(
	context: Context,
	customerId: string,
): Promise<number> {
	const { businessId } = context;
	const account = await accountOf(context, businessId, customerId);
	const found = await context.find(customer, account);
	// Who is in no list is asked for nothing.
	const limit = found ? found.creditLimit : 0;
	if (limit === null) return 0;
	const balances = await readBalances(context, businessId, [account]);
	return Math.max((balances.get(account) ?? 0) - limit, 0);
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
