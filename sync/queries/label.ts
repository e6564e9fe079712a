import { type Label, label, labelRow } from "../entities/label.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { recordQuery } from "./record.ts";

const byId = orderOf<Label>(label, {
	columns: { id: "string" },
	keyOf: ({ id }) => [id],
});

export const labelList = defineList({
	name: "label.list",
	summary: "What was last printed on each product's label",
	args: {},
	row: labelRow,
	placeOf: byId.placeOf,
	async read(context, _args, page) {
		return { rows: await byId.read(context, page) };
	},
});

export const labelGet = recordQuery(label, labelRow, {
	summary: "What was last printed on a product's label",
	missing: "Label not found",
});
