import * as z from "zod";
import { type Customer, customer, customerWire } from "../entities/customer.ts";
import { searchable } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import {
	creditMethod,
	type Payment,
	payment,
	paymentRow,
} from "../entities/payment.ts";
import type { Value } from "../store/store.ts";
import { likeText, nameCondition } from "./name-search.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const byName = orderOf<Customer>(customer, {
	columns: { search_name: "string", name: "string", id: "string" },
	keyOf: ({ name, id }) => [searchable(name), name, id],
});

const owing = `id IN (SELECT customer_id FROM payments WHERE payments.business_id = customers.business_id AND customer_id IS NOT NULL
  AND method = '${creditMethod}' AND payments.deleted = 0 GROUP BY customer_id HAVING sum(amount) <> 0)`;

export const customerList = defineList({
	name: "customer.list",
	summary: "Customers by name, all of them or those with a balance",
	args: {
		/** Part of the name or phone number, in any case. */
		search: z.string().min(1).max(200).optional(),
		show: z.enum(["all", "owing"]).default("all"),
	},
	row: customerWire,
	placeOf: byName.placeOf,
	async read(context, { search, show }, page) {
		const conditions: string[] = [];
		const params: Value[] = [];
		if (search !== undefined) {
			const named = nameCondition(search);
			if (!named) return { rows: [] };
			conditions.push(
				`AND (${named.where} OR replace(phone, ' ', '') LIKE ? ESCAPE '!')`,
			);
			params.push(...named.params);
			params.push(`%${likeText(search.replaceAll(" ", ""))}%`);
		}
		if (show === "owing") conditions.push(`AND ${owing}`);
		const where = conditions.join(" ");
		return { rows: await byName.read(context, { ...page, where, params }) };
	},
});

export const customerGet = recordQuery(customer, customerWire, {
	summary: "A customer",
	missing: "Customer not found",
});

const newestFirst = orderOf<Payment>(payment, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const customerPayments = defineList({
	name: "customer.payments",
	summary:
		"What a customer was lent and gave, the newest first: the amounts of method CREDIT add up to the balance",
	args: { customerId: anyId },
	row: paymentRow,
	placeOf: newestFirst.placeOf,
	async read(context, { customerId }, page) {
		return {
			rows: await newestFirst.read(context, {
				...page,
				where: "AND customer_id = ?",
				params: [customerId],
			}),
		};
	},
});

export const customerTotals = defineQuery({
	name: "customer.totals",
	summary: "What customers owe together, and what the shop owes them",
	args: z.strictObject({}),
	answer: z.object({
		owing: z.int(),
		owed: z.number(),
		credits: z.number(),
	}),
	async run({ tx, businessId }) {
		const [row] = await tx.all(
			`SELECT count(*) AS owing, sum(CASE WHEN balance > 0 THEN balance ELSE 0 END) AS owed, sum(CASE WHEN balance < 0 THEN -balance ELSE 0 END) AS credits
       FROM (SELECT sum(amount) AS balance FROM payments WHERE business_id = ? AND customer_id IS NOT NULL AND method = ? AND deleted = 0
         GROUP BY customer_id HAVING sum(amount) <> 0) AS balances`,
			businessId,
			creditMethod,
		);
		return {
			owing: Number(row?.owing ?? 0),
			owed: toDecimal(Number(row?.owed ?? 0)),
			credits: toDecimal(Number(row?.credits ?? 0)),
		};
	},
});
