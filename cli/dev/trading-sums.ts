import { toDecimal, toMicros } from "../../sync/entities/money.ts";
import {
	type Invoice,
	type Line,
	matchCancellations,
	type TradingDay,
} from "./trading-day.ts";

// What the files say, worked out without the software that is put to the test.

const sum = (lines: Line[], of: (line: Line) => number) =>
	lines.reduce((total, line) => total + of(line), 0);
const quantityMicros = ({ quantity }: Line) => toMicros(quantity);
/** Exact: prices and quantities of the files have three decimals at most. */
const amountMicros = ({ price, quantity }: Line) =>
	Number((BigInt(toMicros(price)) * BigInt(toMicros(quantity))) / 1_000_000n);

function linesOf(invoices: Invoice[]): Line[] {
	return invoices.flatMap(({ lines }) => lines);
}

/** What every store must hold, from the files alone: sales of earlier days that were cancelled count on both sides. */
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

/** By how many millionths of a unit each product's stock must have moved, by sku: taken back - sold - written off. */
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
