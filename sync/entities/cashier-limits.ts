import type { Context } from "./entity.ts";
import type { InboxConcern } from "./inbox.ts";
import { sumOfProducts } from "./money.ts";

/*
 * What a cashier may do without somebody else hearing of it. Goods and money have changed hands by then, so nothing is refused:
 * what goes beyond a limit becomes an item of the inbox, with the amount at stake. A till knows few members' roles, so the server's word counts.
 */

/** Amounts in millionths; null is no limit. */
interface CashierLimits {
	/** Percent of a price, in millionths. */
	discount: number | null;
	refund: number | null;
	cashOut: number | null;
}

/** Returns the limits of a mutation's maker; undefined if the maker has none. */
async function limitsOf({
	businessId,
	userId,
	all,
}: Context): Promise<CashierLimits | undefined> {
	if (userId === null) return undefined;
	const [found] = await all(
		`SELECT cashier_discount_max, cashier_refund_max, cashier_cash_out_max FROM businesses
     WHERE business_id = ? AND coalesce(cashier_discount_max, cashier_refund_max, cashier_cash_out_max) IS NOT NULL
       AND EXISTS (SELECT 1 FROM memberships WHERE memberships.business_id = businesses.business_id AND user_id = ? AND role = 'CASHIER')`,
		businessId,
		userId,
	);
	const toLimit = (value: unknown) => (value === null ? null : Number(value));
	return (
		found && {
			discount: toLimit(found.cashier_discount_max),
			refund: toLimit(found.cashier_refund_max),
			cashOut: toLimit(found.cashier_cash_out_max),
		}
	);
}

/** A line that was sold for another price than its product's. */
interface RepricedLine {
	productId: string;
	quantity: number;
	price: number;
	/** The product's. */
	sellingPrice: number | null;
}

/** Returns whether a line was sold for less than a cashier may give. */
export async function discountConcerns(
	context: Context,
	{ productId, quantity, price, sellingPrice }: RepricedLine,
): Promise<InboxConcern[]> {
	if (sellingPrice === null || price >= sellingPrice) return [];
	const max = (await limitsOf(context))?.discount ?? null;
	const off = sellingPrice - price;
	if (max === null || isWithin(off, max, sellingPrice)) return [];
	const amount = sumOfProducts([{ price: off, quantity }]);
	return [{ cause: "discount_over_limit", productId, quantity, amount }];
}

/** @param max in percent of the whole, in millionths */
function isWithin(part: number, max: number, whole: number): boolean {
	return BigInt(part) * 100_000_000n <= BigInt(max) * BigInt(whole);
}

/** Returns whether a cashier gave back more than they may. */
export async function refundConcerns(
	context: Context,
	total: number,
): Promise<InboxConcern[]> {
	const max = (await limitsOf(context))?.refund ?? null;
	if (max === null || total <= max) return [];
	return [{ cause: "refund_over_limit", amount: total }];
}

/** Returns whether a cashier took more out of the drawer than they may. */
export async function cashConcerns(
	context: Context,
	moved: { amount: number; shiftId?: string | undefined },
): Promise<InboxConcern[]> {
	if (moved.amount >= 0) return [];
	const max = (await limitsOf(context))?.cashOut ?? null;
	const amount = -moved.amount;
	if (max === null || amount <= max) return [];
	return [{ cause: "cash_over_limit", amount, shiftId: moved.shiftId }];
}
