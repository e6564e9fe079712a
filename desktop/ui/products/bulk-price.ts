import {
	amountMax,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";

/** What new prices start from: the price and a percentage, the price and an amount, or the cost and a percentage. */
export const priceBases = ["percent", "amount", "cost"] as const;
export type PriceBase = (typeof priceBases)[number];

/** How the prices of several products change. */
export interface PriceRule {
	/** Undefined only rounds. */
	base: PriceBase | undefined;
	/** May be negative. */
	by: number;
	/** New prices are multiples of it. */
	step: number;
}

const whole = 100_000_000n;

/** @returns the new price, rounded half up; undefined without an old price or cost, or if the new one isn't possible */
export function newPrice(
	{ sellingPrice, buyingPrice }: Pick<Product, "sellingPrice" | "buyingPrice">,
	{ base, by, step }: PriceRule,
): number | undefined {
	const from = base === "cost" ? buyingPrice : sellingPrice;
	if (from === null) return undefined;
	const before = BigInt(toMicros(from));
	const change = BigInt(toMicros(by));
	const unit = BigInt(toMicros(step));
	// In hundred-millionths of a millionth, so that nothing is rounded twice.
	const exact =
		base === undefined
			? before * whole
			: base === "amount"
				? (before + change) * whole
				: before * (whole + change);
	const nearest = (exact + (unit * whole) / 2n) / (unit * whole);
	// Rounding makes nothing free.
	const steps = nearest === 0n && exact > 0n ? 1n : nearest;
	const price = toDecimal(Number(steps * unit));
	return exact < 0n || price > amountMax ? undefined : price;
}

/** @returns the share of the price that is left after the cost, in whole per cent; undefined without one of them */
export function marginOf(
	price: number | null | undefined,
	cost: number | null,
): number | undefined {
	if (!price || cost === null) return undefined;
	return Math.round(((price - cost) / price) * 100);
}
