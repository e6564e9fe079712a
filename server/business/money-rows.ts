import { plus } from "../../sync/entities/money.ts";
import type { MoneyReport } from "../../sync/queries/report-money.ts";

/** The columns of a report on money in a file. */
export const moneyColumns = [
	...["by", "name", "sales", "revenue", "net", "tax"],
	...["refunds", "discounts", "rounding", "taken", "owed"],
];

/** Writes a report as rows: its total, and then one for each tender, cashier and shift. */
export function toMoneyRows({ total, cashiers, shifts }: MoneyReport) {
	return [
		toRow("total", null, total),
		...total.figures.methods.map((sums) => {
			const given = plus(sums.sold, -sums.givenBack);
			const isOwed = sums.method === "CREDIT";
			return {
				...{ ...empty, by: "tender", name: sums.method },
				taken: isOwed ? null : plus(given, sums.collected),
				owed: isOwed ? given : null,
			};
		}),
		...cashiers.map((one) => toRow("cashier", one.cashier ?? one.userId, one)),
		...shifts.map((one) => toRow("shift", one.openedAt ?? "", one)),
	];
}

const empty: Record<string, string | number | null> = Object.fromEntries(
	moneyColumns.map((column) => [column, null]),
);

function toRow(
	by: string,
	name: string | null,
	{ revenue, net, tax, taken, owed, figures }: MoneyReport["total"],
) {
	const { sales, refunds, voids, discounts, rounding } = figures;
	return {
		...{ by, name, sales: sales.count, revenue, net, tax },
		refunds: plus(refunds.total, voids.total),
		...{ discounts, rounding, taken, owed },
	};
}
