import { v7 as newId } from "uuid";
import * as z from "zod";
import { businessDay } from "../../../sync/clock.ts";
import type { Business } from "../../../sync/entities/business.ts";
import { saleCreate, saleRow } from "../../../sync/entities/sale.ts";
import type { LocalShop } from "../local/shop.ts";
import { type Cart, totalOf } from "./cart.ts";

export const methods = ["CASH", "MPESA", "CARD"] as const;
export type Method = (typeof methods)[number];

/** How a sale is paid: for cash what was handed over, else a reference. */
export interface Tender {
	method: Method;
	paid: number;
	reference: string;
}

/** A sum that the server can hold exactly. */
const countable = z.object({ total: saleRow.shape.total });

type SaleArgs = z.input<typeof saleCreate.args>;

/** A sale that was made here, with all that its receipt shows. */
export interface MadeSale {
	mutationId: string;
	args: SaleArgs;
	total: number;
	paid: number;
	change: number;
	at: string;
}

/**
 * Makes the sale: written down in this browser, with its receipt's number and out of the carts, when this resolves.
 *
 * @throws ZodError or CartTakenError, with the cart as it was
 */
export async function makeSale(
	shop: LocalShop,
	business: Business | undefined,
	cart: Cart,
	{ method, paid, reference }: Tender,
): Promise<MadeSale> {
	const total = totalOf(cart);
	const id = newId();
	const notes = [cart.note.trim(), reference && `${method} ${reference}`]
		.filter(Boolean)
		.join("\n");
	const argsOf = (receiptNumber: () => string, at: string) => {
		const args: SaleArgs = {
			id,
			items: cart.lines.map(({ listPrice: _, ...line }) => line),
			paid: paid || null,
			paymentMethod: method,
			notes: notes || null,
			receiptNumber: receiptNumber(),
			...(business
				? {
						businessDay: businessDay(
							at,
							business.timeZone,
							business.cutOffHour,
						),
					}
				: {}),
		};
		// The server's own check: a sale that it would refuse is never shown as sold.
		saleCreate.args.parse(args);
		countable.parse({ total });
		return args;
	};
	const entry = await shop.mutate(saleCreate.name, argsOf, cart.id);
	const tendered = paid || total;
	return {
		mutationId: entry.id,
		args: entry.args as SaleArgs,
		total,
		paid: tendered,
		change: Math.round((tendered - total) * 1e6) / 1e6,
		at: entry.at,
	};
}
