import { type Tax, tax, taxRow } from "../entities/tax.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { recordQuery } from "./record.ts";

const byCode = orderOf<Tax>(tax, {
	columns: { id: "string" },
	keyOf: ({ id }) => [id],
});

export const taxList = defineList({
	name: "tax.list",
	summary: "All tax classes with their rates, by code",
	args: {},
	row: taxRow,
	placeOf: byCode.placeOf,
	async read(context, _args, page) {
		return { rows: await byCode.read(context, page) };
	},
});

export const taxGet = recordQuery(tax, taxRow, {
	summary: "A tax class",
	missing: "Tax class not found",
});
