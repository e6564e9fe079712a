import type * as z from "zod";
import type { saleHistory } from "../../sync/queries/sale-history.ts";

/** Spells what a sale was paid by in a cell: `MPESA`, or of several tenders `CASH 60 + MPESA 40`. */
export function paidBy({
	paymentMethod,
	tenders,
}: Pick<z.input<typeof saleHistory.row>, "paymentMethod" | "tenders">): string {
	if (!tenders || tenders.length === 1) return paymentMethod;
	return tenders.map(({ method, amount }) => `${method} ${amount}`).join(" + ");
}
