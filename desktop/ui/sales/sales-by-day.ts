import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Queries } from "../../../sync/queries/index.ts";

export type ListedSale = Queries["sale.history"]["answer"]["rows"][number];
type DayTotals = Queries["sale.days"]["answer"]["days"][number];

/** The sales of a business day, with its totals as far as they are known. */
export interface SalesDay {
	day: string;
	sales: ListedSale[];
	/** Voided sales do not count. */
	count: number | undefined;
	total: number | undefined;
}

/**
 * Groups sales, the newest first, by business day.
 *
 * @param totals of whole days, if they are those of the listed sales
 * @param isComplete whether no more sales follow
 */
export function salesByDay(
	sales: readonly ListedSale[],
	totals: readonly DayTotals[] | undefined,
	isComplete: boolean,
): SalesDay[] {
	const groups = new Map<string, ListedSale[]>();
	for (const sale of sales) {
		const group = groups.get(sale.businessDay);
		if (group) group.push(sale);
		else groups.set(sale.businessDay, [sale]);
	}
	const days = [...groups].toSorted(([a], [b]) => (a < b ? 1 : -1));
	return days.map(([day, sales], i) => {
		const known = totals?.find((one) => one.day === day);
		if (known)
			return { day, sales, count: known.salesCount, total: known.revenue };
		// More sales of the last day may follow.
		const isWhole = !totals && (isComplete || i < days.length - 1);
		return { day, sales, ...(isWhole ? sumOf(sales) : unknown) };
	});
}

const unknown = { count: undefined, total: undefined };

function sumOf(sales: readonly ListedSale[]) {
	let micros = 0;
	for (const { total, refundedTotal } of sales)
		micros += toMicros(total) - toMicros(refundedTotal);
	return {
		count: sales.filter(({ status }) => status !== "voided").length,
		total: toDecimal(micros),
	};
}
