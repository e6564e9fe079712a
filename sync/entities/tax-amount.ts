import { sumOfProducts, toDecimal } from "./money.ts";

/*
 * Tax is a part of a price. A line's tax is rounded once, to hundredths of the currency and half away from zero, and is a fact
 * from then on. Everything else is a sum of such facts or a difference: net is gross less tax, so that they always add up.
 */

/** A hundredth of the currency, in millionths. */
const hundredth = 10_000n;
/** A whole in percent, in millionths. */
const whole = 100_000_000n;

/**
 * Returns the tax that an amount includes, `gross x rate / (100 + rate)`.
 *
 * @param gross in millionths
 * @param rate in percent, in millionths
 */
export function taxIn(gross: number, rate: number): number {
	const percent = BigInt(rate);
	return hundredths(BigInt(gross) * percent, whole + percent);
}

/**
 * Returns a unit price with the tax that is added to it.
 *
 * @param net the price without tax, in millionths
 */
export function withTaxAdded(net: number, rate: number): number {
	return hundredths(BigInt(net) * (whole + BigInt(rate)), whole);
}

/** A sold line, or what is left of one. */
interface TaxedPart {
	quantity: number;
	/** Absent without tax. */
	tax?: number | undefined;
}

/**
 * Returns the tax that goes back with a part of a line: what is left of its tax, less what stays with the rest. So all parts add
 * up to the line's tax, in whatever steps it comes back.
 *
 * @param back the quantity that is taken back
 * @returns undefined for a line without tax
 */
export function taxBack(
	line: TaxedPart,
	left: TaxedPart,
	back: number,
): number | undefined {
	if (line.tax === undefined) return undefined;
	const stays = hundredths(
		BigInt(line.tax) * BigInt(left.quantity - back),
		BigInt(line.quantity || 1),
	);
	return Math.max((left.tax ?? 0) - stays, 0);
}

/** Divides amounts that are not negative and rounds the result to hundredths, half away from zero. */
function hundredths(dividend: bigint, divisor: bigint): number {
	const unit = divisor * hundredth;
	return Number(((2n * dividend + unit) / (2n * unit)) * hundredth);
}

/** What was sold or taken back at one rate of one class. */
export interface TaxedAmount {
	/** Absent without tax. */
	taxClass?: string | undefined;
	taxRate?: number | undefined;
	gross: number;
	tax: number;
}

interface TaxSums {
	taxClass: string | null;
	/** Null without tax. A rate of 0 is a tax of nothing. */
	taxRate: number | null;
	net: number;
	tax: number;
	gross: number;
}

/** Adds up amounts by class and rate, in this order and those without tax last. Amounts are in millionths. */
export function sumByTax(amounts: Iterable<TaxedAmount>): TaxSums[] {
	const sums = new Map<string, TaxSums>();
	for (const { taxClass = null, taxRate = null, gross, tax } of amounts) {
		const key = JSON.stringify([taxClass, taxRate]);
		const sum = sums.get(key) ?? {
			...{ taxClass, taxRate },
			...{ net: 0, tax: 0, gross: 0 },
		};
		sum.gross += gross;
		sum.tax += tax;
		sum.net = sum.gross - sum.tax;
		sums.set(key, sum);
	}
	return [...sums.values()].sort(
		(a, b) =>
			Number(a.taxClass === null) - Number(b.taxClass === null) ||
			byText(a.taxClass ?? "", b.taxClass ?? "") ||
			(a.taxRate ?? 0) - (b.taxRate ?? 0),
	);
}

/** The same order everywhere: a till and its server compare sums as texts. */
function byText(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

/** A sold line as its row has it. */
interface SoldLine extends Omit<TaxedAmount, "gross" | "tax"> {
	price: number;
	quantity: number;
	tax?: number | undefined;
}

/** Returns what a sold line adds to the sums by tax. */
export function taxedAmountOf({
	price,
	quantity,
	tax = 0,
	...line
}: SoldLine): TaxedAmount {
	return { ...line, gross: sumOfProducts([{ price, quantity }]), tax };
}

/**
 * Returns the tax that a sale's lines include by class and rate, in decimals as a receipt shows it.
 *
 * @returns undefined without tax
 */
export function taxesIn(lines: readonly SoldLine[]) {
	const taxed = lines.filter(({ taxClass }) => taxClass !== undefined);
	if (taxed.length === 0) return undefined;
	return sumByTax(taxed.map(taxedAmountOf)).map(
		({ taxClass, taxRate, net, tax }) => ({
			taxClass: taxClass ?? "",
			taxRate: toDecimal(taxRate ?? 0),
			...{ net: toDecimal(net), tax: toDecimal(tax) },
		}),
	);
}
