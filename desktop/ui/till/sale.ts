import { v7 as newId } from "uuid";
import type * as z from "zod";
import type { Customer } from "../../../sync/entities/customer.ts";
import type { Layaway } from "../../../sync/entities/layaway.ts";
import { plus, toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { saleCreate } from "../../../sync/entities/sale.ts";
import type { ShopClient } from "../shop/client.ts";
import { type Cart, type CartLine, totalOf } from "./cart.ts";

export const methods = ["CASH", "MPESA", "CARD"] as const;
export type Method = (typeof methods)[number];

/** What is handed over by one method. */
export interface Tender {
	method: Method;
	/** Of cash with what comes back as change. */
	amount: number;
	/** What the payment's message or slip names it by. */
	code?: string;
}

/** How a sale is paid. */
export interface SalePayment {
	/** Empty if all of it is credit. */
	tenders: readonly Tender[];
	/** What the shop forgave, or kept if negative, as there are no smaller coins. */
	rounding: number;
	/** Who owes what is not paid. */
	customer?: Customer;
}

type SaleArgs = z.input<typeof saleCreate.args>;

/** A sale made on this device, with everything that its receipt shows. */
export interface CompletedSale {
	mutationId: string;
	args: SaleArgs;
	total: number;
	/** With what is lent. */
	paid: number;
	change: number;
	/** What the customer owes for it. */
	lent: number;
	/** The change, where deposits paid a part and the cash was beyond the rest. */
	givenBack?: number;
	/** As they were before. */
	customer?: Customer | undefined;
	at: string;
}

/** A retry sells a cart under the same id, so that a lost response never sells it twice. */
const idByCart = new WeakMap<Cart, string>();

/**
 * Sells a cart. Once this resolves, the sale is durable on this device, has its receipt number, and the cart is gone.
 *
 * @throws ShopError, leaving the cart as it was; `cart_taken` if another window sells it
 */
export async function makeSale(
	shop: ShopClient,
	cart: Cart,
	payment: SalePayment,
): Promise<CompletedSale> {
	const id = idByCart.get(cart) ?? newId();
	idByCart.set(cart, id);
	const asked: SaleArgs = {
		...{ id, items: itemsOf(cart), ...toArgs(payment) },
		notes: cart.note.trim() || null,
	};
	return sell(shop, asked, payment.customer, cart.id);
}

/** What a cart's lines say of a sale, or of goods that are kept. */
export function itemsOf({ lines }: Cart): SaleArgs["items"] {
	return lines.map(({ listPrice, hasNoPrice: _, ...line }) => ({
		...line,
		...(listPrice !== line.price && { listPrice }),
	}));
}

/**
 * Sells what was kept for a customer. What the payment leaves is paid from their deposits.
 *
 * @param left what the deposits leave to pay: cash beyond it is given back. What else is beyond it stays theirs
 */
export async function handOver(
	shop: ShopClient,
	id: string,
	{ id: layawayId, items }: Layaway,
	payment: SalePayment & { customer: Customer },
	left: number,
): Promise<CompletedSale> {
	const over = Math.max(
		plus(plus(sumOf(payment.tenders), payment.rounding), -left),
		0,
	);
	let toGive = over;
	const tenders = payment.tenders
		.map((one) => {
			const back = one.method === "CASH" ? Math.min(one.amount, toGive) : 0;
			toGive = plus(toGive, -back);
			return { ...one, amount: plus(one.amount, -back) };
		})
		.filter(({ amount }) => amount > 0);
	const asked = { id, items, layawayId, ...toArgs({ ...payment, tenders }) };
	const sale = await sell(shop, asked, payment.customer);
	return { ...sale, givenBack: plus(over, -toGive) };
}

async function sell(
	shop: ShopClient,
	asked: SaleArgs,
	customer: Customer | undefined,
	cartId?: string,
): Promise<CompletedSale> {
	const { id } = asked;
	const { at, args: made } = await shop.mutate("sale.create", asked, {
		id,
		...(cartId !== undefined && { cartId }),
	});
	const total = totalOf({ lines: made.items as CartLine[] });
	const given = made.tenders
		? plus(sumOf(made.tenders), made.rounding ?? 0)
		: made.paymentMethod === "CREDIT"
			? 0
			: made.paid || total;
	const lent = made.customerId ? Math.max(plus(total, -given), 0) : 0;
	return {
		...{ mutationId: id, args: made, total, lent, at },
		paid: plus(given, lent),
		change: plus(plus(given, lent), -total),
		customer,
	};
}

/** A payment by one method alone needs no list. */
function toArgs({
	tenders,
	rounding,
	customer,
}: SalePayment): Partial<SaleArgs> {
	const [first, ...others] = tenders;
	// A rest too small for any coin is paid by no cash, and only cash is rounded.
	const isRounded =
		rounding !== 0 && tenders.some(({ method }) => method === "CASH");
	const rounded = isRounded ? { rounding } : {};
	if (customer)
		return {
			...{ ...rounded, customerId: customer.id },
			...(first ? { tenders: [...tenders] } : { paymentMethod: "CREDIT" }),
		};
	if (others.length > 0) return { ...rounded, tenders: [...tenders] };
	const { method = "CASH", amount = 0, code } = first ?? {};
	return {
		paid: plus(amount, rounded.rounding ?? 0) || null,
		paymentMethod: method,
		...(code !== undefined && { paymentCode: code }),
		...rounded,
	};
}

export function sumOf(tenders: readonly { amount: number }[]): number {
	return toDecimal(
		tenders.reduce((sum, { amount }) => sum + toMicros(amount), 0),
	);
}
