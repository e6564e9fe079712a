import * as z from "zod";
import type { DbRow } from "../store/store.ts";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import {
	amount,
	computed,
	recordId,
	requiredText,
	searchable,
	text,
	timestamp,
} from "./fields.ts";
import { toDecimal } from "./money.ts";
import { creditMethod } from "./payment.ts";
import { fieldsOf } from "./sentence.ts";

export const customerRow = z.object({
	id: recordId,
	businessId: recordId,
	name: requiredText(200),
	phone: text(40).nullable(),
	note: text(2_000).nullable(),
	/** What they should owe at most: the till warns, and a sale beyond it is made. Null is no limit. */
	creditLimit: amount.nullable(),
	createdAt: timestamp,
	updatedAt: timestamp,
});
/** A customer in wire form, with what they owe; a negative balance is theirs. */
export const customerWire = customerRow
	.extend({ balance: computed })
	.meta({ id: "Customer" });
export type Customer = z.input<typeof customerWire>;

export const customer = defineEntity({
	name: "customer",
	table: "customers",
	row: customerRow,
	editable: true,

	columns({ name }): DbRow {
		return name === undefined ? {} : { search_name: searchable(name) };
	},

	async expand(tx, businessId, rows) {
		if (rows.length === 0) return [];
		const sums = await tx.all(
			`SELECT customer_id, sum(amount) AS balance FROM payments
       WHERE business_id = ? AND customer_id IN (SELECT value FROM json_each(?)) AND method = ? AND deleted = 0 GROUP BY customer_id`,
			businessId,
			JSON.stringify(rows.map(({ id }) => id)),
			creditMethod,
		);
		const byId = new Map(
			sums.map(({ customer_id: id, balance }) => [id, Number(balance)]),
		);
		return rows.map(({ id }) => ({ balance: toDecimal(byId.get(id) ?? 0) }));
	},
});

const { name, phone, note, creditLimit } = customerRow.shape;

/** Adds a customer. Cashiers may: a debt is written down while the customer waits. */
export const customerCreate = defineMutation({
	name: "customer.create",
	args: z.strictObject({
		id: recordId,
		name,
		phone: phone.default(null),
		note: note.default(null),
	}),
	sentence: ({ name }) => `Created customer "${name}"`,
	examples: [{ id: "customer", name: "Mama Zawadi", phone: "0712 345 678" }],
	async apply(context, args) {
		await context.insert(customer, {
			...args,
			creditLimit: null,
			businessId: context.businessId,
			createdAt: context.at,
			updatedAt: context.at,
		});
	},
});

export const customerUpdate = defineMutation({
	name: "customer.update",
	args: z.strictObject({
		id: recordId,
		set: z.strictObject({ name, phone, note }).partial(),
	}),
	sentence: ({ id, set }) => `Set ${fieldsOf(set)} of customer ${id}`,
	examples: [{ id: "customer", set: { note: "Pays on Fridays" } }],
	async apply(context, { id, set }) {
		await context.get(customer, id, "id");
		await context.edit(customer, id, set);
	},
});

/** Says what a customer should owe at most. */
export const customerLimit = defineMutation({
	name: "customer.limit",
	args: z.strictObject({ id: recordId, creditLimit }),
	roles: managing,
	sentence: ({ id, creditLimit }) =>
		creditLimit === null
			? `Took the limit from customer ${id}`
			: `Set the limit of customer ${id} to ${creditLimit}`,
	examples: [{ id: "customer", creditLimit: 1_000 }],
	async apply(context, { id, creditLimit }) {
		await context.get(customer, id, "id");
		await context.edit(customer, id, { creditLimit });
	},
});

/** Removes a customer from the lists. What they bought and owe stays. */
export const customerDelete = defineMutation({
	name: "customer.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted customer ${id}`,
	examples: [{ id: "customer" }],
	async apply(context, { id }) {
		await context.get(customer, id, "id");
		await context.remove(customer, id);
	},
});
