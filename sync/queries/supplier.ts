import * as z from "zod";
import { managing } from "../entities/entity.ts";
import { computed, day, timestamp } from "../entities/fields.ts";
import { toDecimal } from "../entities/money.ts";
import { searchable } from "../entities/searchable.ts";
import { type Supplier, supplier, supplierWire } from "../entities/supplier.ts";
import type { Value } from "../store/store.ts";
import { likeText, nameCondition } from "./name-search.ts";
import { orderOf } from "./order.ts";
import { placesBy } from "./place.ts";
import { defineList } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const byName = orderOf<Supplier>(supplier, {
	columns: { search_name: "string", name: "string", id: "string" },
	keyOf: ({ name, id }) => [searchable(name), name, id],
});

export const supplierList = defineList({
	name: "supplier.list",
	summary: "Suppliers by name, with what the shop owes them",
	args: {
		/** Part of the name or phone number, in any case. */
		search: z.string().min(1).max(200).optional(),
	},
	row: supplierWire,
	placeOf: byName.placeOf,
	roles: managing,
	async read(context, { search }, page) {
		if (search === undefined) return { rows: await byName.read(context, page) };
		const named = nameCondition(search);
		if (!named) return { rows: [] };
		const where = `AND (${named.where} OR replace(phone, ' ', '') LIKE ? ESCAPE '!')`;
		const phone = `%${likeText(search.replaceAll(" ", ""))}%`;
		const params = [...named.params, phone];
		return { rows: await byName.read(context, { ...page, where, params }) };
	},
});

const get = recordQuery(supplier, supplierWire, {
	summary: "A supplier, with what the shop owes them",
	missing: "Supplier not found",
});
export const supplierGet: typeof get = { ...get, roles: managing };

const supplierEntry = z
	.object({
		id: z.string(),
		kind: z.enum(["delivery", "return", "payment"]),
		/** The delivery that a payment was made with, or the payment itself. */
		factId: z.string(),
		/** What the shop owes more. */
		amount: computed,
		/** Of a payment. */
		method: z.string().nullable(),
		/** What stands on the paper of a delivery, or why it was paid. */
		note: z.string().nullable(),
		businessDay: day,
		createdAt: timestamp,
	})
	.meta({ id: "SupplierEntry" });
type SupplierEntry = z.input<typeof supplierEntry>;

const newestFirst = placesBy<SupplierEntry>(
	["string", "string"],
	({ createdAt, id }) => [createdAt, id],
);

export const supplierEntries = defineList({
	name: "supplier.entries",
	summary:
		"What a supplier brought, got back and was paid, the newest first: the amounts add up to the balance",
	args: { supplierId: anyId },
	row: supplierEntry,
	placeOf: newestFirst.placeOf,
	roles: managing,
	async read({ tx, businessId }, { supplierId }, { after, limit }) {
		const place = newestFirst.read(after);
		const before = place ? "AND (created_at, id) < (?, ?)" : "";
		const params: Value[] = [businessId, supplierId, ...(place ?? []), limit];
		const rows = await tx.all(
			`SELECT * FROM (SELECT * FROM (SELECT id, CASE WHEN is_return = 1 THEN 'return' ELSE 'delivery' END AS kind, id AS fact_id, total AS amount,
         NULL AS method, number AS note, business_day, created_at FROM deliveries
       WHERE business_id = ? AND supplier_id = ? AND deleted = 0 ${before} ORDER BY created_at DESC, id DESC LIMIT ?) AS brought
       UNION ALL SELECT * FROM (SELECT id, 'payment', fact_id, amount, method, reason, business_day, created_at FROM payments
       WHERE business_id = ? AND supplier_id = ? AND deleted = 0 ${before} ORDER BY created_at DESC, id DESC LIMIT ?) AS paid) AS entries
       ORDER BY created_at DESC, id DESC LIMIT ?`,
			...[...params, ...params, limit],
		);
		return {
			rows: rows.map((row) => ({
				id: row.id as string,
				kind: row.kind as SupplierEntry["kind"],
				factId: row.fact_id as string,
				amount: toDecimal(Number(row.amount)),
				method: row.method as string | null,
				note: row.note as string | null,
				businessDay: row.business_day as string,
				createdAt: row.created_at as string,
			})),
		};
	},
});
