import { v7 as newId } from "uuid";
import type * as z from "zod";
import type { saleCreate } from "../../../sync/entities/sale.ts";
import type { ShopClient } from "../shop/client.ts";
import { type Cart, type CartLine, totalOf } from "./cart.ts";

export const methods = ["CASH", "MPESA", "CARD"] as const;
export type Method = (typeof methods)[number];

/** How a sale is paid: the cash handed over, or a reference for other methods. */
export interface Tender {
	method: Method;
	/** With the rounding. */
	paid: number;
	/** What the shop forgave, or kept if negative, as there are no smaller coins. */
	rounding: number;
	reference: string;
}

type SaleArgs = z.input<typeof saleCreate.args>;

/** A sale made on this device, with everything that its receipt shows. */
export interface CompletedSale {
	mutationId: string;
	args: SaleArgs;
	total: number;
	paid: number;
	change: number;
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
	{ method, paid, rounding, reference }: Tender,
): Promise<CompletedSale> {
	const id = idByCart.get(cart) ?? newId();
	idByCart.set(cart, id);
	const notes = [cart.note.trim(), reference && `${method} ${reference}`]
		.filter(Boolean)
		.join("\n");
	const asked: SaleArgs = {
		id,
		items: cart.lines.map(({ listPrice, hasNoPrice: _, ...line }) => ({
			...line,
			...(listPrice !== line.price && { listPrice }),
		})),
		paid: paid || null,
		paymentMethod: method,
		...(rounding !== 0 && { rounding }),
		notes: notes || null,
	};
	const { at, args: made } = await shop.mutate("sale.create", asked, {
		id,
		cartId: cart.id,
	});
	const total = totalOf({ lines: made.items as CartLine[] });
	const tendered = made.paid || total;
	return {
		mutationId: id,
		args: made,
		total,
		paid: tendered,
		change: Math.round((tendered - total) * 1e6) / 1e6,
		at,
	};
}
