import { term, type Where } from "./facts.ts";
import { raw, type Sql, sql } from "./sql.ts";

/** What came in by the one method of a sale's row, less the change. */
export const takenOfRow =
	"CASE WHEN sales.paid < sales.total OR sales.payment_method <> 'CASH' THEN sales.paid ELSE sales.total END - coalesce(sales.rounding, 0)";
/** What a refund's row says was given back by its one method. */
const givenOfRow = "refunds.total - coalesce(refunds.rounding, 0)";

/** What a sale was paid by: its row tells it, or else the payments beside it. Change is given in cash, whatever it was paid by. */
function tendersOf(sales: Sql, where: Sql, sign: 1 | -1): Sql {
	const columns = (method: string, count: string, amount: string) =>
		sql`sales.day_number AS day, ${raw(method)} AS key, ${raw(`${sign} * ${count}`)} AS sales, ${sign === 1 ? term(amount) : 0} AS revenue, 0 AS cost, 0 AS refunded`;
	return sql`SELECT ${columns("sales.payment_method", "1", takenOfRow)}
      FROM ${sales} WHERE ${where} AND sales.has_payments IS NULL
    UNION ALL
    SELECT ${columns("'CASH'", "0", "sales.total - sales.paid")}
      FROM ${sales} WHERE ${where} AND sales.has_payments IS NULL AND sales.paid > sales.total AND sales.payment_method <> 'CASH'
    UNION ALL
    SELECT ${columns("payments.method", "CASE WHEN sum(payments.amount) > 0 THEN 1 ELSE 0 END", "sum(payments.amount)")}
      FROM ${sales} JOIN payments ON payments.business_id = sales.business_id AND payments.fact_id = sales.id AND payments.kind = 'sale'
      WHERE ${where} AND sales.has_payments = 1 GROUP BY sales.id, sales.day_number, payments.method`;
}

/**
 * What each sale brought in by each of its tenders, and what each refund or void gave back, on its own day. With CREDIT, what
 * customers owe more.
 */
export function tenderFacts(businessId: string, where: Where): Sql {
	const back = (method: string, amount: string) =>
		sql`unixepoch(refunds.business_day) / 86400, ${raw(method)}, 0, ${term(`-(${amount})`)}, 0, ${term(amount)}`;
	const refunds = sql`refunds.business_id = ${businessId} AND ${where("refunds")}`;
	return sql`${tendersOf(
		raw("sales"),
		sql`sales.business_id = ${businessId} AND ${where("sales")}`,
		1,
	)}
    UNION ALL
    SELECT ${back("coalesce(refunds.payment_method, sales.payment_method)", givenOfRow)}
      FROM refunds JOIN sales ON sales.business_id = refunds.business_id AND sales.id = refunds.sale_id
      WHERE ${refunds} AND refunds.has_payments IS NULL
    UNION ALL
    SELECT ${back("payments.method", "-payments.amount")}
      FROM refunds JOIN payments ON payments.business_id = refunds.business_id AND payments.fact_id = refunds.id AND payments.kind = 'refund'
      WHERE ${refunds} AND refunds.has_payments = 1
    UNION ALL
    ${tendersOf(
			raw(
				"refunds JOIN sales ON sales.business_id = refunds.business_id AND sales.id = refunds.sale_id",
			),
			sql`${refunds} AND refunds.kind = 'void'`,
			-1,
		)}`;
}
