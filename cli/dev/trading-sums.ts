import { toDecimal, toMicros } from "../../sync/entities/money.ts";
import {
	type Invoice,
	type Line,
	matchCancellations,
	type TradingDay,
} from "./trading-day.ts";

// Expected sums, computed from the files without the code under test.

const sum = (lines: Line[], of: (line: Line) => number) =>
	lines.reduce((total, line) => total + of(line), 0);
const quantityMicros = ({ quantity }: Line) => toMicros(quantity);
/** Exact, because prices and quantities in the files have at most three decimals. */
const amountMicros = ({ price, quantity }: Line) =>
	Number((BigInt(toMicros(price)) * BigInt(toMicros(quantity))) / 1_000_000n);

function linesOf(invoices: Invoice[]): Line[] {
	return invoices.flatMap(({ lines }) => lines);
}

/** The sums that every store must have. Cancelled sales of earlier days count as sales and as refunds. */
export function expectedOf(days: TradingDay[], voided: Invoice) {
	const earlier = days.flatMap((day) => matchCancellations(day).earlier);
	const sold = [...days.flatMap(({ invoices }) => invoices), ...earlier];
	const back = [...days.flatMap(({ cancellations }) => cancellations), voided];
	const total = (invoices: Invoice[], of: (line: Line) => number) =>
		toDecimal(sum(linesOf(invoices), of));
	return {
		expected: {
			sales: sold.length,
			sold: total(sold, amountMicros),
			refunded: total(back, amountMicros),
			units: toDecimal(
				sum(linesOf(sold), quantityMicros) - sum(linesOf(back), quantityMicros),
			),
		},
		voided: total([voided], amountMicros),
		earlier: total(earlier, amountMicros),
	};
}

/** Each product's expected stock change by SKU, in millionths of a unit: refunded - sold - written off. */
export function movedOf(
	days: TradingDay[],
	voided: Invoice,
): Map<string, number> {
	const moved = new Map<string, number>();
	const move = (lines: Line[], sign: number) => {
		for (const { sku, quantity } of lines)
			moved.set(sku, (moved.get(sku) ?? 0) + sign * toMicros(quantity));
	};
	move(voided.lines, 1);
	for (const day of days) {
		move(linesOf(day.invoices), -1);
		move(linesOf(matchCancellations(day).earlier), -1);
		move(linesOf(day.cancellations), 1);
		move(day.writeOffs, -1);
	}
	return moved;
}
