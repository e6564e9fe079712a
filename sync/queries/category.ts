import { type Category, category, categoryRow } from "../entities/category.ts";
import { orderOf } from "./order.ts";
import { defineList } from "./query.ts";
import { recordQuery } from "./record.ts";

const inOrder = orderOf<Category>(category, {
	columns: { sort_order: "integer", name: "string", id: "string" },
	keyOf: ({ sortOrder, name, id }) => [sortOrder, name, id],
});

export const categoryList = defineList({
	name: "category.list",
	summary: "All categories in display order",
	args: {},
	row: categoryRow,
	placeOf: inOrder.placeOf,
	async read(context, _args, page) {
		return { rows: await inOrder.read(context, page) };
	},
});

export const categoryGet = recordQuery(category, categoryRow, {
	summary: "A category",
	missing: "Category not found",
});
