import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { day } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { paymentRow } from "../entities/payment.ts";
import type { DbRow } from "../store/store.ts";
import { placesBy } from "./place.ts";
import { defineList } from "./query.ts";
import { takenOfRow } from "./tender-facts.ts";

const listedPayment = paymentRow
	.omit({ businessId: true })
	.extend({
		/** 0 for what is pending on a till. */
		version: z.int(),
		/** Of the sale. */
		receiptNumber: z.string().nullable(),
		/** Of a sale or refund, the shift that it names itself. */
		shiftId: z.string().nullable(),
		/** Why cash was put in or taken out. */
		category: paymentRow.shape.category.unwrap().nullable(),
		/** What a customer's payment is a deposit for. */
		layawayId: z.string().nullable(),
		/** Whom the shop paid for goods. */
		supplierId: z.string().nullable(),
		/** Of the record that remains, if the customer was merged into another. */
		customerId: z.string().nullable(),
		customerName: z.string().nullable(),
	})
	.meta({ id: "ListedPayment" });
type ListedPayment = z.input<typeof listedPayment>;

const inOrder = placesBy<ListedPayment>(
	["integer", "string"],
	({ version, id }) => [version, id],
);

/** The shop's other requests wait for one statement: few of a year's sales may be what is asked for. */
const versionsAtOnce = 10_000;

/*
 * What moved by each method with each fact. A sale or refund of one method, without a customer, tells its own.
 */
const sources = [
	`SELECT id, kind, fact_id, method, amount, code, customer_id, reason, business_day, user_id, device_id, created_at, version, shift_id, category, layaway_id, supplier_id
   FROM payments WHERE business_id = ? AND deleted = 0`,
	`SELECT id, 'sale', id, payment_method,
     ${takenOfRow}, payment_code,
     NULL, NULL, business_day, user_id, device_id, created_at, version, shift_id, NULL, NULL, NULL
   FROM sales WHERE business_id = ? AND deleted = 0 AND has_payments IS NULL`,
	// Change is given in cash, whatever it was paid by.
	`SELECT * FROM (SELECT id || ':change' AS id, 'sale' AS kind, id AS fact_id, 'CASH' AS method, total - paid AS amount, NULL AS code,
     NULL AS customer_id, NULL AS reason, business_day, user_id, device_id, created_at, version, shift_id, NULL AS category, NULL AS layaway_id, NULL AS supplier_id
     FROM sales WHERE business_id = ? AND deleted = 0 AND has_payments IS NULL AND paid > total AND payment_method <> 'CASH') AS given WHERE 1 = 1`,
	`SELECT id, 'refund', id, coalesce(payment_method, (SELECT sold.payment_method FROM sales AS sold
     WHERE sold.business_id = refunds.business_id AND sold.id = refunds.sale_id)), coalesce(rounding, 0) - total, NULL,
     NULL, reason, business_day, user_id, device_id, created_at, version, shift_id, NULL, NULL, NULL
   FROM refunds WHERE business_id = ? AND deleted = 0 AND has_payments IS NULL`,
].map(
	(select, i) =>
		`SELECT * FROM (${select} AND business_day BETWEEN ? AND ? AND version BETWEEN ? AND ? AND (version > ? OR id > ?)
     ORDER BY version, id LIMIT ?) AS source_${i}`,
);

// Looked up for each: SQLite would gather all sales for a left join with the view.
const sold = (column: string) =>
	`CASE WHEN part.kind = 'sale' THEN (SELECT ${column} FROM sales WHERE business_id = ? AND id = part.fact_id) END`;

const next = `SELECT part.*, ${sold("receipt_number")} AS receipt_number, coalesce(part.shift_id, ${sold("shift_id")}, refunds.shift_id) AS shift,
    customers.id AS account, customers.name AS customer_name
  FROM (SELECT * FROM (${sources.join(" UNION ALL ")}) AS sources ORDER BY version, id LIMIT ?) AS part
  LEFT JOIN refunds ON part.kind = 'refund' AND refunds.business_id = ? AND refunds.id = part.fact_id
  LEFT JOIN customers AS named ON named.business_id = ? AND named.id = part.customer_id
  LEFT JOIN customers ON customers.business_id = named.business_id AND customers.id = coalesce(named.merged_into, named.id)
  ORDER BY part.version, part.id`;

export const paymentList = defineList({
	name: "payment.list",
	summary:
		"What moved by each method with each sale, refund, collection, adjustment and delivery, in the order of their versions",
	args: {
		/** Business days, both inclusive. */
		from: day.optional(),
		to: day.optional(),
	},
	older: { since: ({ from = "" }) => from },
	// By method and shift, it adds up to what a cashier must not know before a count.
	roles: managing,
	row: listedPayment,
	placeOf: inOrder.placeOf,
	async read(
		{ tx, businessId },
		{ from = "", to = "9999-12-31" },
		{ after, limit },
	) {
		const rows: DbRow[] = [];
		const place = inOrder.read(after);
		let version = Number(place?.[0] ?? -1);
		let id = String(place?.[1] ?? "");
		for (;;) {
			const upTo = version + versionsAtOnce;
			const later = await tx.get(
				"SELECT 1 FROM sales WHERE business_id = ? AND version > ? LIMIT 1",
				...[businessId, upTo],
			);
			const left = limit - rows.length;
			const until = later ? upTo : Number.MAX_SAFE_INTEGER;
			const source = [businessId, from, to, version, until, version, id, left];
			const found = await tx.all(
				next,
				...[businessId, businessId],
				...sources.flatMap(() => source),
				...[left, businessId, businessId],
			);
			rows.push(...found);
			if (!later || rows.length >= limit) break;
			version = upTo + 1;
			id = "";
		}
		return {
			rows: rows.map((row) => ({
				id: row.id as string,
				kind: row.kind as ListedPayment["kind"],
				factId: row.fact_id as string,
				method: row.method as string,
				amount: toDecimal(Number(row.amount)),
				code: row.code as string | null,
				reason: row.reason as string | null,
				businessDay: row.business_day as string,
				userId: row.user_id as string | null,
				deviceId: row.device_id as string | null,
				createdAt: row.created_at as string,
				version: Number(row.version),
				shiftId: row.shift as string | null,
				category: row.category as ListedPayment["category"],
				layawayId: row.layaway_id as string | null,
				supplierId: row.supplier_id as string | null,
				receiptNumber: row.receipt_number as string | null,
				customerId: (row.account ?? row.customer_id) as string | null,
				customerName: row.customer_name as string | null,
			})),
		};
	},
});
