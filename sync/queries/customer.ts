import * as z from "zod";
import { type Customer, customer, customerWire } from "../entities/customer.ts";
import { accountOf, recordsOf } from "../entities/customer-account.ts";
import { toDecimal } from "../entities/money.ts";
import { creditMethod, payment, paymentRow } from "../entities/payment.ts";
import { searchable } from "../entities/searchable.ts";
import { selectWires } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { likeText, nameCondition } from "./name-search.ts";
import { orderOf } from "./order.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const byName = orderOf<Customer>(customer, {
	columns: { search_name: "string", name: "string", id: "string" },
	keyOf: ({ name, id }) => [searchable(name), name, id],
});

/** Entries of all accounts, each with its account's id. */
const entries = `SELECT coalesce(merged.merged_into, payments.customer_id) AS account, payments.amount FROM payments
  LEFT JOIN customers AS merged ON merged.business_id = payments.business_id AND merged.id = payments.customer_id
  WHERE payments.business_id = ? AND payments.customer_id IS NOT NULL AND payments.method = '${creditMethod}' AND payments.deleted = 0`;

const owing = `id IN (SELECT account FROM (${entries}) AS entries GROUP BY account HAVING sum(amount) <> 0)`;

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
		const conditions = ["AND merged_into IS NULL"];
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
		if (show === "owing") {
			conditions.push(`AND ${owing}`);
			params.push(context.businessId);
		}
		const where = conditions.join(" ");
		return { rows: await byName.read(context, { ...page, where, params }) };
	},
});

/** A phone number without what people write between its digits. */
const bareDigits = [" ", "-", ".", "(", ")", "/"].reduce(
	(text, sign) => `replace(${text}, '${sign}', '')`,
	"phone",
);
/** Digits of a number that tell it from others: what precedes them is a 0 or the country's code. */
const ownDigits = 9;

export const customerByPhone = defineQuery({
	name: "customer.byPhone",
	summary: "Customers with a phone number, however it is written",
	args: z.strictObject({ phone: z.string().max(40) }),
	answer: z.object({ rows: z.array(customerWire) }),
	async run({ tx, businessId }, { phone }) {
		const digits = phone.replaceAll(/\D/g, "").slice(-ownDigits);
		if (digits.length < ownDigits) return { rows: [] };
		return {
			rows: await selectWires<Customer>(
				tx,
				customer,
				businessId,
				`AND merged_into IS NULL AND ${bareDigits} LIKE ? ORDER BY search_name, id LIMIT 3`,
				`%${digits}`,
			),
		};
	},
});

const get = recordQuery(customer, customerWire, {
	summary: "A customer; of one that was merged, the record that remains",
	missing: "Customer not found",
});

export const customerGet: typeof get = {
	...get,
	run: async (context, { id }) =>
		get.run(context, {
			id: await accountOf(context.tx, context.businessId, id),
		}),
};

/** A payment that names a customer. */
export const accountPayment = paymentRow
	.extend({
		kind: paymentRow.shape.kind.exclude([
			"cash",
			"drawer",
			"removal",
			"supplier",
		]),
	})
	.meta({ id: "AccountPayment" });
export type AccountPayment = z.input<typeof accountPayment>;

const newestFirst = orderOf<AccountPayment>(payment, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const customerPayments = defineList({
	name: "customer.payments",
	summary:
		"What a customer was lent and gave, the newest first: the amounts of method CREDIT add up to the balance",
	args: { customerId: anyId },
	row: accountPayment,
	placeOf: newestFirst.placeOf,
	async read(context, { customerId }, page) {
		return {
			rows: await newestFirst.read(context, {
				...page,
				where: "AND customer_id IN (SELECT value FROM json_each(?))",
				params: [JSON.stringify(await idsOf(context, customerId))],
			}),
		};
	},
});

/** Returns the ids of the records of a customer's account. */
async function idsOf(
	{ tx, businessId }: QueryContext,
	customerId: string,
): Promise<string[]> {
	const account = await accountOf(tx, businessId, customerId);
	return recordsOf(tx, businessId, account);
}

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
			`SELECT sum(CASE WHEN balance > 0 THEN 1 ELSE 0 END) AS owing,
         sum(CASE WHEN balance > 0 THEN balance ELSE 0 END) AS owed, sum(CASE WHEN balance < 0 THEN -balance ELSE 0 END) AS credits
       FROM (SELECT sum(amount) AS balance FROM (${entries}) AS entries
         WHERE account IN (SELECT id FROM customers WHERE business_id = ? AND deleted = 0) GROUP BY account) AS balances`,
			...[businessId, businessId],
		);
		return {
			owing: Number(row?.owing ?? 0),
			owed: toDecimal(Number(row?.owed ?? 0)),
			credits: toDecimal(Number(row?.credits ?? 0)),
		};
	},
});
