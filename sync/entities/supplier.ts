import * as z from "zod";
import type { Connection, DbRow } from "../store/store.ts";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import { computed, recordId, requiredText, text, timestamp } from "./fields.ts";
import { toDecimal } from "./money.ts";
import { searchable } from "./searchable.ts";
import { fieldsOf } from "./sentence.ts";

export const supplierRow = z.object({
	id: recordId,
	businessId: recordId,
	name: requiredText(200),
	phone: text(40).nullable(),
	note: text(2_000).nullable(),
	createdAt: timestamp,
	updatedAt: timestamp,
});
/** A supplier in wire form, with what the shop owes them; a negative balance is the shop's. */
export const supplierWire = supplierRow
	.extend({ balance: computed })
	.meta({ id: "Supplier" });
export type Supplier = z.input<typeof supplierWire>;

/** Whom the shop buys from. */
export const supplier = defineEntity({
	name: "supplier",
	table: "suppliers",
	row: supplierRow,
	editable: true,

	columns({ name }): DbRow {
		return name === undefined ? {} : { search_name: searchable(name) };
	},

	async expand(tx, businessId, rows) {
		const balances = await readOwed(
			tx,
			businessId,
			rows.map(({ id }) => id),
		);
		return rows.map(({ id }) => ({
			balance: toDecimal(balances.get(id) ?? 0),
		}));
	},
});

/** Returns what the shop owes some suppliers, in millionths: what they brought, less what they got back or were paid. */
async function readOwed(
	tx: Pick<Connection, "all">,
	businessId: string,
	ids: readonly string[],
): Promise<Map<unknown, number>> {
	if (ids.length === 0) return new Map();
	const params = [businessId, JSON.stringify(ids)];
	const sums = await tx.all(
		`SELECT supplier_id, sum(amount) AS owed FROM (
       SELECT supplier_id, total AS amount FROM deliveries
       WHERE business_id = ? AND supplier_id IN (SELECT value FROM json_each(?)) AND deleted = 0
       UNION ALL SELECT supplier_id, amount FROM payments
       WHERE business_id = ? AND supplier_id IN (SELECT value FROM json_each(?)) AND deleted = 0) AS entries
     GROUP BY supplier_id`,
		...params,
		...params,
	);
	return new Map(sums.map((row) => [row.supplier_id, Number(row.owed)]));
}

const { name, phone, note } = supplierRow.shape;

export const supplierCreate = defineMutation({
	name: "supplier.create",
	args: z.strictObject({
		id: recordId,
		name,
		phone: phone.default(null),
		note: note.default(null),
	}),
	roles: managing,
	sentence: ({ name }) => `Created supplier "${name}"`,
	examples: [{ id: "supplier", name: "Brookside", phone: "0712 345 678" }],
	async apply(context, args) {
		await context.insert(supplier, {
			...args,
			businessId: context.businessId,
			createdAt: context.at,
			updatedAt: context.at,
		});
	},
});

export const supplierUpdate = defineMutation({
	name: "supplier.update",
	args: z.strictObject({
		id: recordId,
		set: z.strictObject({ name, phone, note }).partial(),
	}),
	roles: managing,
	sentence: ({ id, set }) => `Set ${fieldsOf(set)} of supplier ${id}`,
	examples: [{ id: "supplier", set: { note: "Comes on Tuesdays" } }],
	async apply(context, { id, set }) {
		await context.get(supplier, id, "id");
		await context.edit(supplier, id, set);
	},
});

/** Removes a supplier from the lists. Deliveries and payments stay. */
export const supplierDelete = defineMutation({
	name: "supplier.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted supplier ${id}`,
	examples: [{ id: "supplier" }],
	async apply(context, { id }) {
		await context.get(supplier, id, "id");
		await context.remove(supplier, id);
	},
});
