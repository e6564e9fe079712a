import { cashOf, roundCash } from "../../../sync/entities/currency.ts";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Method, SalePayment } from "./sale.ts";

/** Rounds an amount to the digits that its currency is displayed with. */
export function asShown(sum: number, digits: number): number {
	const unit = 10 ** (6 - digits);
	return toDecimal(Math.round(toMicros(sum) / unit) * unit);
}

/** What a shop rounds cash to: its own setting, or what its currency has coins for. */
export function cashUnitOf(shop: {
	currency: string;
	cashUnit?: number | null;
}): number {
	return shop.cashUnit ?? cashOf(shop.currency).unit;
}

/** The total in coins that there are. */
export function cashDue(total: number, unit: number): number {
	return toDecimal(roundCash(toMicros(total), toMicros(unit)));
}

/**
 * How a total is paid by one method. In cash its rounding counts as paid, so that the amount due, handed over, leaves no
 * change.
 *
 * @param handed what is handed over; undefined means the amount due
 */
export function tenderFor(
	method: Method,
	total: number,
	unit: number,
	{ handed, code }: { handed?: number | undefined; code?: string } = {},
): SalePayment {
	const due = method === "CASH" ? cashDue(total, unit) : total;
	return {
		tenders: [{ method, amount: handed ?? due, ...(code && { code }) }],
		rounding: toDecimal(toMicros(total) - toMicros(due)),
	};
}
