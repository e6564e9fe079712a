import { statementLineId } from "../entities/statement.ts";
import { addDays, momentOf } from "../protocol/clock.ts";
import {
	type Claim,
	type Coverage,
	type Match,
	matchCodes,
	type Received,
} from "../statements/match.ts";
import type { DbRow } from "../store/store.ts";
import { businessGet } from "./business.ts";
import { inDays } from "./facts.ts";
import { assertPeriod, factDaysMax, type Period, rangeOf } from "./period.ts";
import type { QueryContext } from "./query.ts";
import { all, type Sql, sql } from "./sql.ts";

/**
 * Compares the codes of a period: of the lines that were paid in it, and of the sales and collections of its days. What
 * belongs to such a code counts on any day, since a payment at midnight is sold for on the next.
 */
export async function readMatches(
	context: QueryContext,
	period: Period,
	method: string,
): Promise<{ matches: Match[]; covered: Coverage | undefined }> {
	assertPeriod(period, factDaysMax);
	const { tx, businessId } = context;
	const ofPeriod = await readPeriodCodes(context, period, method);
	const codes = sql`(SELECT value FROM json_each(${JSON.stringify(ofPeriod)}))`;
	const received = await all(
		tx,
		sql`SELECT code, amount, paid_at AS at, payer FROM statement_lines
      WHERE business_id = ${businessId} AND id IN (SELECT value FROM json_each(${JSON.stringify(ofPeriod.map((code) => statementLineId(method, code)))}))`,
	);
	const claims = await all(
		tx,
		sql`SELECT 'sale' AS kind, id, payment_code AS code, paid AS amount, created_at AS at, receipt_number FROM sales
      WHERE business_id = ${businessId} AND payment_code IN ${codes} AND payment_method = ${method}
    UNION ALL
    SELECT kind, fact_id AS id, code, amount, created_at AS at,
      (SELECT receipt_number FROM sales WHERE sales.business_id = payments.business_id AND sales.id = payments.fact_id) AS receipt_number
      FROM payments
      WHERE business_id = ${businessId} AND code IN ${codes} AND method = ${method} AND kind IN ('sale', 'collection') AND amount > 0 AND deleted = 0`,
	);
	const uncoded = await all(
		tx,
		sql`SELECT 'sale' AS kind, id, NULL AS code, paid AS amount, created_at AS at, receipt_number FROM sales
      WHERE business_id = ${businessId} AND ${inDays(rangeOf(period))("sales")} AND payment_method = ${method} AND payment_code IS NULL`,
	);
	const covered = await readCoverage(context, method);
	return {
		covered,
		matches: matchCodes(
			received as unknown as Received[],
			claims.map(toClaim) as (Claim & { code: string })[],
			covered,
			uncoded.map(toClaim),
		),
	};
}

async function readPeriodCodes(
	context: QueryContext,
	period: Period,
	method: string,
): Promise<string[]> {
	const { tx, businessId } = context;
	const { timeZone, cutOffHour } = await businessGet.run(context, {});
	const startOf = (day: string) =>
		momentOf(`${day}T${String(cutOffHour).padStart(2, "0")}:00:00`, timeZone);
	const parts: Sql[] = [
		sql`SELECT code FROM statement_lines
      WHERE business_id = ${businessId} AND method = ${method} AND paid_at >= ${startOf(period.from)} AND paid_at < ${startOf(addDays(period.to, 1))}`,
		sql`SELECT payment_code AS code FROM sales
      WHERE business_id = ${businessId} AND ${inDays(rangeOf(period))("sales")} AND payment_method = ${method} AND payment_code IS NOT NULL`,
		sql`SELECT code FROM payments
      WHERE business_id = ${businessId} AND code IS NOT NULL AND business_day >= ${period.from} AND business_day <= ${period.to}
        AND method = ${method} AND kind IN ('sale', 'collection') AND amount > 0 AND deleted = 0`,
	];
	const codes = new Set<string>();
	for (const part of parts)
		for (const { code } of await all(tx, part)) codes.add(code as string);
	return [...codes];
}

async function readCoverage(
	{ tx, businessId }: QueryContext,
	method: string,
): Promise<Coverage | undefined> {
	const [first, last] = await Promise.all(
		["ASC", "DESC"].map((order) =>
			tx.get(
				`SELECT paid_at FROM statement_lines WHERE business_id = ? AND method = ? ORDER BY paid_at ${order} LIMIT 1`,
				businessId,
				method,
			),
		),
	);
	return first && last
		? { from: first.paid_at as string, to: last.paid_at as string }
		: undefined;
}

function toClaim(row: DbRow): Claim {
	return {
		kind: row.kind as Claim["kind"],
		id: row.id as string,
		code: row.code as string | null,
		amount: Number(row.amount),
		at: row.at as string,
		receiptNumber: row.receipt_number as string | null,
	};
}
