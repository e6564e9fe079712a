import type { StoredItem } from "../entities/inbox.ts";
import { unitMicros } from "../entities/money.ts";

/** What an item is measured against, in millionths. */
interface Prices {
	/** The product's selling price now. */
	price: number | null;
	/** The price in the sale's last line of the product, where its stock ran out. */
	soldAt: number | null;
}

/** SQL for the price of a sold line's product in its own unit. */
export const unitPrice =
	"CAST(price / (coalesce(pack_size, 1000000) / 1000000.0) AS BIGINT)";

/** Causes whose amount is the money at stake. */
const ofAmount = new Set([
	...["clock", "over_limit", "code_reused"],
	...["discount_over_limit", "open_item_over_limit", "refund_over_limit"],
	...["void_over_limit", "others_sale_taken_back", "cash_over_limit"],
	...["bad_approval", "layaway_ended", "paid_out_too_much"],
	...["late_for_shift", "drawer_differs", "figures_differ"],
]);

/**
 * Returns the money at stake as a price and a quantity, so that many can be summed exactly: the selling price of what was
 * oversold, the difference that an old price made, the total of a fact with a wrong clock, what is lent beyond a
 * limit, a payment whose code is not its own, goods of a layaway that
 * had ended, what was paid out too much, or what a shift's drawer or report is off by. Null for other causes.
 */
export function stakeOf(
	{
		cause,
		quantity,
		amount,
	}: Pick<StoredItem, "cause" | "quantity" | "amount">,
	{ price, soldAt }: Prices,
): { price: number; quantity: number } | null {
	if (ofAmount.has(cause))
		return amount === null
			? null
			: { price: Math.abs(amount), quantity: unitMicros };
	if (quantity === null) return null;
	if (cause === "oversold" && soldAt !== null)
		return { price: soldAt, quantity };
	if (cause === "old_price" && price !== null)
		return { price: Math.abs(price - (amount ?? 0)), quantity };
	return null;
}
