import * as z from "zod";
import { type Customer, customer, customerRow } from "../entities/customer.ts";
import { accountOf, recordsOf } from "../entities/customer-account.ts";
import { timestamp } from "../entities/fields.ts";
import { toDecimal, toMicros } from "../entities/money.ts";
import { creditMethod } from "../entities/payment.ts";
import { localTimes, toIso } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire } from "../rows/rows.ts";
import { businessGet } from "./business.ts";
import { accountPayment } from "./customer.ts";
import { letterhead, letterheadOf } from "./letterhead.ts";
import { defineQuery } from "./query.ts";
import { anyId } from "./record.ts";

/** The content of a statement of a customer's account. Amounts are in the business's currency. */
const statement = z
	.object({
		business: letterhead,
		customer: z.object({ name: z.string(), phone: customerRow.shape.phone }),
		/** The moment of the balance, in UTC and in local time, `2026-11-20 12:00`. */
		asOf: timestamp,
		localTime: z.string(),
		/** What was owed before the first entry. */
		before: z.number(),
		/** What the customer owed more or less by, the oldest first. */
		entries: z.array(
			z.object({
				kind: accountPayment.shape.kind,
				localTime: z.string(),
				amount: z.number(),
				/** Of a sale. */
				receiptNumber: z.string().nullable(),
				reason: z.string().nullable(),
			}),
		),
		/** What the customer owes; a negative balance is theirs. */
		balance: z.number(),
	})
	.meta({ id: "Statement" });
export type Statement = z.infer<typeof statement>;

/** On a roll of paper, some 15 cm. */
const entriesDefault = 20;

export const customerStatement = defineQuery({
	name: "customer.statement",
	summary: "A statement of a customer's account: the last entries and the sum",
	args: z.strictObject({
		id: anyId,
		entries: z.int().min(1).max(500).default(entriesDefault),
	}),
	answer: statement,
	older: "rather",
	async run(context, { id, entries: limit }) {
		const { tx, businessId, now } = context;
		const account = await accountOf(tx, businessId, id);
		const found = await findWire<Customer>(tx, customer, businessId, account);
		if (!found) throw new ShopError("not_found", "Customer not found");
		const { name, phone, balance } = found;
		const business = await businessGet.run(context, {});
		const localTime = localTimes(business.timeZone);
		const records = await recordsOf(tx, businessId, account);
		const newest = await tx.all(
			`SELECT kind, amount, reason, created_at, CASE WHEN kind = 'sale' THEN (SELECT receipt_number FROM sales
         WHERE business_id = payments.business_id AND id = payments.fact_id) END AS receipt_number FROM payments
       WHERE business_id = ? AND customer_id IN (SELECT value FROM json_each(?)) AND method = ? AND deleted = 0
       ORDER BY created_at DESC, id DESC LIMIT ?`,
			...[businessId, JSON.stringify(records), creditMethod],
			limit,
		);
		const shown = newest.reduce((sum, { amount }) => sum + Number(amount), 0);
		const asOf = toIso(now);
		return {
			business: letterheadOf(business),
			customer: { name, phone },
			...{ asOf, localTime: localTime(asOf) },
			before: toDecimal(toMicros(balance) - shown),
			entries: newest.reverse().map((row) => ({
				kind: accountPayment.shape.kind.parse(row.kind),
				localTime: localTime(row.created_at as string),
				amount: toDecimal(Number(row.amount)),
				receiptNumber: row.receipt_number as string | null,
				reason: row.reason as string | null,
			})),
			balance,
		};
	},
});
