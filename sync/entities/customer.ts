import * as z from "zod";
import type { DbRow } from "../store/store.ts";
import { accountOf, readBalances, recordsOf } from "./customer-account.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
	type RowOf,
} from "./entity.ts";
import {
	amount,
	computed,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { toDecimal } from "./money.ts";
import { searchable } from "./searchable.ts";
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
	/** The record that remains of the two: what names this one counts for that. Absent unless it was merged. */
	mergedInto: recordId.optional(),
	/** When the name, phone number and note were erased. Absent unless they were. */
	erasedAt: timestamp.optional(),
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
		const balances = await readBalances(
			tx,
			businessId,
			rows.map(({ id }) => id),
		);
		return rows.map(({ id }) => ({
			balance: toDecimal(balances.get(id) ?? 0),
		}));
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
	examples: [
		{ id: "customer", name: "Mama Zawadi", phone: "0712 345 678" },
		{ id: "double", name: "Zawadi", note: "Sells maize at the stage" },
	],
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
		const named = await context.get(customer, id, "id");
		const account = await accountRow(context, id, "id");
		if (named.erasedAt === undefined && account.erasedAt === undefined)
			await context.edit(customer, account.id, set);
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
		const account = await accountRow(context, id, "id");
		await context.edit(customer, account.id, { creditLimit });
	},
});

/** Says that two records are one customer's. One remains; what names the other, before or after, counts for it. */
export const customerMerge = defineMutation({
	name: "customer.merge",
	args: z
		.strictObject({ fromId: recordId, intoId: recordId })
		.refine(({ fromId, intoId }) => fromId !== intoId, {
			message: "Must be another customer",
			path: ["intoId"],
		}),
	roles: managing,
	sentence: ({ fromId, intoId }) =>
		`Merged customer ${fromId} into customer ${intoId}`,
	examples: [{ fromId: "double", intoId: "customer" }],
	async apply(context, { fromId, intoId }) {
		const from = await accountRow(context, fromId, "fromId");
		const into = await accountRow(context, intoId, "intoId");
		// Another till may have merged them the other way round.
		if (from.id === into.id) return;
		for (const id of await recordsOf(context, context.businessId, from.id))
			await context.update(customer, id, { mergedInto: into.id });
		if (into.erasedAt !== undefined) return eraseAll(context, into);
		await context.update(customer, into.id, {
			phone: into.phone ?? from.phone,
			note: into.note ?? from.note,
			creditLimit: into.creditLimit ?? from.creditLimit,
		});
	},
});

/** What stands for the name of a customer who is known no more. */
export const erasedName = "—";

/** Erases what is known of a customer as a person. What they bought and owe stays. */
export const customerErase = defineMutation({
	name: "customer.erase",
	args: z.strictObject({ id: recordId }),
	roles: ["OWNER"],
	sentence: ({ id }) => `Erased the personal data of customer ${id}`,
	examples: [{ id: "customer" }],
	async apply(context, { id }) {
		await eraseAll(context, await accountRow(context, id, "id"));
	},
});

/** Reads the record that remains of a customer. */
async function accountRow(
	context: Context,
	id: string,
	field: string,
): Promise<RowOf<typeof customer>> {
	await context.get(customer, id, field);
	const account = await accountOf(context, context.businessId, id);
	return context.get(customer, account, field);
}

async function eraseAll(
	context: Context,
	{ id: account, erasedAt = context.at }: RowOf<typeof customer>,
): Promise<void> {
	for (const id of await recordsOf(context, context.businessId, account))
		await context.overwrite(customer, id, {
			...{ name: erasedName, phone: null, note: null, erasedAt },
		});
}

/** Removes a customer from the lists. What they bought and owe stays. */
export const customerDelete = defineMutation({
	name: "customer.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted customer ${id}`,
	examples: [{ id: "customer" }],
	async apply(context, { id }) {
		const { mergedInto } = await context.get(customer, id, "id");
		// A merged record is in no list, and what names it would count for nobody.
		if (mergedInto === undefined) await context.remove(customer, id);
	},
});
