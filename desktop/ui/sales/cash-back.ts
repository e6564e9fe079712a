import { roundCash } from "../../../sync/entities/currency.ts";
import { plus, toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Sale } from "../../../sync/entities/sale.ts";

/**
 * How much cash goes back for goods of a sale that was paid in cash: with the last of them all that is left of what it brought
 * in, else the price in coins that there are. A shop that took other amounts than coins has smaller ones.
 *
 * @param before the totals of the sale's refunds before
 * @param amount what the goods that come back had cost
 * @param unit what cash is rounded to
 */
export function cashBack(
	{
		total,
		paid,
		rounding = 0,
	}: Pick<Sale, "total" | "paid"> & { rounding?: number | undefined },
	before: readonly number[],
	amount: number,
	unit: number,
): number {
	const coin = toMicros(unit);
	const broughtIn = toMicros(Math.min(paid, total)) - toMicros(rounding);
	const isInCoins = broughtIn % coin === 0;
	const inCash = (price: number) =>
		isInCoins ? roundCash(toMicros(price), coin) : toMicros(price);
	const given = before.reduce((sum, price) => sum + inCash(price), 0);
	const left = Math.max(broughtIn - given, 0);
	const isLast = before.reduce(plus, amount) === total;
	return toDecimal(isLast ? left : Math.min(inCash(amount), left));
}
