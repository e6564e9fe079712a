import { v7 as newId } from "uuid";
import type * as z from "zod";
import type { Customer } from "../../../sync/entities/customer.ts";
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
		id,
		items: cart.lines.map(({ listPrice, hasNoPrice: _, ...line }) => ({
			...line,
			...(listPrice !== line.price && { listPrice }),
		})),
		...toArgs(payment),
		notes: cart.note.trim() || null,
	};
	const { at, args: made } = await shop.mutate("sale.create", asked, {
		id,
		cartId: cart.id,
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
		customer: payment.customer,
	};
}

/** A payment by one method alone needs no list. */
function toArgs({
	tenders,
	rounding,
	customer,
}: SalePayment): Partial<SaleArgs> {
	const [first, ...others] = tenders;
	const rounded = rounding === 0 ? {} : { rounding };
	if (customer)
		return {
			...{ ...rounded, customerId: customer.id },
			...(first ? { tenders: [...tenders] } : { paymentMethod: "CREDIT" }),
		};
	if (others.length > 0) return { ...rounded, tenders: [...tenders] };
	const { method = "CASH", amount = 0, code } = first ?? {};
	return {
		paid: plus(amount, rounding) || null,
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
