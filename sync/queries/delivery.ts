import { type Delivery, delivery, deliveryWire } from "../entities/delivery.ts";
import { managing } from "../entities/entity.ts";
import { day } from "../entities/fields.ts";
import type { Value } from "../store/store.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";

const newestFirst = orderOf<Delivery>(delivery, {
	columns: { created_at: "string", id: "string" },
	isDescending: true,
	keyOf: ({ createdAt, id }) => [createdAt, id],
});

export const deliveryList = defineList({
	name: "delivery.list",
	summary: "Deliveries and returns to suppliers, the newest first",
	args: {
		supplierId: anyId.optional(),
		/** Business days, both inclusive. */
		from: day.optional(),
		to: day.optional(),
	},
	row: deliveryWire,
	placeOf: newestFirst.placeOf,
	roles: managing,
	async read(context, { supplierId, from, to }, page) {
		const conditions: string[] = [];
		const params: Value[] = [];
		const add = (condition: string, value: Value | undefined) => {
			if (value === undefined) return;
			conditions.push(`AND ${condition}`);
			params.push(value);
		};
		add("supplier_id = ?", supplierId);
		add("business_day >= ?", from);
		add("business_day <= ?", to);
		const where = conditions.join(" ");
		return {
			rows: await newestFirst.read(context, { ...page, where, params }),
		};
	},
});

const get = recordQuery(delivery, deliveryWire, {
	summary: "A delivery or a return, with its lines and what was paid for it",
	missing: "Delivery not found",
});
export const deliveryGet: typeof get = { ...get, roles: managing };
