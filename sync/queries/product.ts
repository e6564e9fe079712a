import * as z from "zod";
import { type Product, product, productWire } from "../entities/product.ts";
import { searchable } from "../entities/searchable.ts";
import type { Value } from "../store/store.ts";
import { nameCondition } from "./name-search.ts";
import { orderOf } from "./order.ts";
import { conditionOf, productFilter } from "./product-filter.ts";
import { defineList, defineQuery } from "./query.ts";
import { anyId, recordQuery } from "./record.ts";
import { all, raw, type Sql, sql } from "./sql.ts";

const byName = orderOf<Product>(product, {
	columns: { search_name: "string", name: "string", id: "string" },
	keyOf: ({ name, id }) => [searchable(name), name, id],
});

const shown = {
	active: "AND is_active = 1",
	inactive: "AND is_active = 0",
	all: "",
};

export const productList = defineList({
	name: "product.list",
	summary: "Products by name, of all categories or of one",
	args: {
		/** Part of the name, in any case. */
		search: z.string().min(1).optional(),
		categoryId: anyId.optional(),
		show: z.enum(["active", "inactive", "all"]).default("active"),
		filter: productFilter.optional(),
	},
	row: productWire,
	placeOf: byName.placeOf,
	async read(context, { search, categoryId, show, filter }, page) {
		const conditions = [shown[show]];
		const params: Value[] = [];
		if (search !== undefined) {
			const named = nameCondition(search);
			if (!named) return { rows: [] };
			conditions.push(`AND ${named.where}`);
			params.push(...named.params);
		}
		if (categoryId !== undefined) {
			conditions.push("AND category_id = ?");
			params.push(categoryId);
		}
		if (filter) {
			const { text, params: values } = await conditionOf(context, filter);
			conditions.push(`AND ${text}`);
			params.push(...values);
		}
		const where = conditions.join(" ");
		return { rows: await byName.read(context, { ...page, where, params }) };
	},
});

const filters = productFilter.options;
const counts = ["active", "inactive", ...filters] as const;

export const productCounts = defineQuery({
	name: "product.counts",
	summary:
		"How many products are sold and no longer sold, and how many active ones each filter finds",
	args: z.strictObject({ categoryId: anyId.optional() }),
	answer: z.object(
		Object.fromEntries(counts.map((name) => [name, z.int()])) as Record<
			(typeof counts)[number],
			z.ZodInt
		>,
	),
	async run(context, { categoryId }) {
		const { tx, businessId } = context;
		const within =
			categoryId === undefined ? raw("") : sql`AND category_id = ${categoryId}`;
		const count = (condition: Sql) =>
			sql`sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
		let columns = sql`sum(is_active) AS active, sum(1 - is_active) AS inactive`;
		for (const name of filters)
			columns = sql`${columns}, ${count(sql`is_active = 1 AND ${await conditionOf(context, name)}`)} AS ${raw(`"${name}"`)}`;
		const [row] = await all(
			tx,
			sql`SELECT ${columns} FROM products WHERE business_id = ${businessId} AND deleted = 0 ${within}`,
		);
		return Object.fromEntries(
			counts.map((name) => [name, Number(row?.[name] ?? 0)]),
		) as Record<(typeof counts)[number], number>;
	},
});

export const productGet = recordQuery(product, productWire, {
	summary: "A product",
	missing: "Product not found",
});
