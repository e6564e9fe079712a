import * as z from "zod";
import { toDecimal, toMicros } from "../entities/money.ts";
import type { DbRow } from "../store/store.ts";
import { inDays, lineFacts, term } from "./facts.ts";
import {
	assertPeriod,
	factDaysMax,
	type Period,
	periodDays,
	rangeOf,
} from "./period.ts";
import { placesBy } from "./place.ts";
import { defineList, type QueryContext } from "./query.ts";
import { all, raw, type Sql, sql } from "./sql.ts";

/** Sums of lines, less what came back on its own day. Margin is `profit / revenue`. */
const sums = {
	quantity: z.number(),
	revenue: z.number(),
	cost: z.number(),
	profit: z.number(),
	/** Revenue of lines with a cost of 0, whose profit is unknown. */
	revenueWithoutCost: z.number(),
};
const sumFields = [
	"quantity",
	"revenue",
	"cost",
	"profit",
	"revenueWithoutCost",
] as const;
type Sums = Record<(typeof sumFields)[number], number>;

const sort = z.enum(["revenue", "profit", "quantity", "cost"]);
type Sort = z.infer<typeof sort>;

const args = {
	...periodDays,
	sort: sort.default("revenue"),
	order: z.enum(["desc", "asc"]).default("desc"),
};

const productRow = z
	.object({
		/** Null for open items, which all share one row. */
		productId: z.string().nullable(),
		/** The product's name, or the line's if this database has never had the product. Null for open items. */
		name: z.string().nullable(),
		...sums,
	})
	.meta({ id: "ProductReport" });

const categoryRow = z
	.object({
		/** Null for products without a category, unknown products and open items. */
		categoryId: z.string().nullable(),
		name: z.string().nullable(),
		...sums,
	})
	.meta({ id: "CategoryReport" });

/**
 * What each product brought in a period. Each page adds up all lines of the period, which the index of days finds; so
 * it has 92 days at most.
 */
export const reportProducts = defineList({
	name: "report.products",
	summary: "What each product brought in a period of at most 92 days",
	args,
	row: productRow,
	placeOf: (row) => places.placeOf({ ...row, key: row.productId ?? "" }),
	async read(context, args, page) {
		const rows = await readGoods(context, args, page, byProduct);
		return {
			rows: rows.map(({ key, name, ...sums }) => ({
				productId: key || null,
				name,
				...sums,
			})),
		};
	},
});

/** The same of each category, as products are sorted into them now. */
export const reportCategories = defineList({
	name: "report.categories",
	summary: "What each category brought in a period of at most 92 days",
	args,
	row: categoryRow,
	placeOf: (row) => places.placeOf({ ...row, key: row.categoryId ?? "" }),
	async read(context, args, page) {
		const rows = await readGoods(context, args, page, byCategory);
		return {
			rows: rows.map(({ key, name, ...sums }) => ({
				categoryId: key || null,
				name,
				...sums,
			})),
		};
	},
});

interface Goods extends Sums {
	/** The id of a product or category, which is never empty; empty for lines without one. */
	key: string;
	name: string | null;
}

/** A cursor holds every sum, because the order may be by any. */
const places = placesBy<Omit<Goods, "name">>(
	["string", ...sumFields.map(() => "number" as const)],
	({ key, ...sums }) => [key, ...sumFields.map((field) => sums[field])],
);

/** Groups the sums by product, which `by_product` names, into a table of key, name and sums. */
type Grouping = (businessId: string) => Sql;

const sumsOf = (table: string) =>
	raw(
		["quantity", "revenue", "cost", "without_cost"]
			.map((column) => `sum(${table}.${column}) AS ${column}`)
			.join(", "),
	);

const byProduct: Grouping = (businessId) =>
	sql`SELECT by_product.*, CASE WHEN key = '' THEN NULL ELSE coalesce(products.name, line_name) END AS name
    FROM by_product LEFT JOIN products ON products.business_id = ${businessId} AND products.id = key`;

const byCategory: Grouping = (businessId) =>
	sql`SELECT coalesce(categories.id, '') AS key, max(categories.name) AS name, ${sumsOf("by_product")}
    FROM by_product LEFT JOIN products ON products.business_id = ${businessId} AND products.id = key
    LEFT JOIN categories ON categories.business_id = ${businessId} AND categories.id = products.category_id AND categories.deleted = 0
    GROUP BY coalesce(categories.id, '')`;

async function readGoods(
	{ tx, businessId }: QueryContext,
	{ sort, order, ...period }: Period & { sort: Sort; order: "desc" | "asc" },
	{ after, limit }: { after: string | undefined; limit: number },
	grouping: Grouping,
): Promise<Goods[]> {
	assertPeriod(period, factDaysMax);
	const facts = lineFacts(
		businessId,
		inDays(rangeOf(period)),
		({ quantity, revenue, cost }) =>
			sql`coalesce(sale_items.product_id, '') AS key, sale_items.name AS line_name, ${term(quantity)} AS quantity, ${term(revenue)} AS revenue, ${term(cost)} AS cost,
        CASE WHEN sale_items.cost = 0 THEN ${term(revenue)} ELSE 0 END AS without_cost`,
	);
	const column = raw(sort === "profit" ? "revenue - cost" : sort);
	const direction = raw(order);
	const place = places.read(after);
	const rest = place
		? sql`WHERE (${column}, key) ${raw(order === "desc" ? "<" : ">")} (${toMicros(place[1 + sumFields.indexOf(sort)] as number)}, ${place[0] as string})`
		: sql``;
	const rows = await all(
		tx,
		sql`WITH by_product AS (
        SELECT key, max(line_name) AS line_name, ${sumsOf("facts")} FROM (${facts}) AS facts GROUP BY key
      ), goods AS (${grouping(businessId)})
      SELECT key, name, quantity, revenue, cost, without_cost FROM goods ${rest}
      ORDER BY ${column} ${direction}, key ${direction} LIMIT ${limit}`,
	);
	return rows.map(toGoods);
}

function toGoods(row: DbRow): Goods {
	const of = (column: string) => Number(row[column]);
	return {
		key: row.key as string,
		name: row.name as string | null,
		quantity: toDecimal(of("quantity")),
		revenue: toDecimal(of("revenue")),
		cost: toDecimal(of("cost")),
		profit: toDecimal(of("revenue") - of("cost")),
		revenueWithoutCost: toDecimal(of("without_cost")),
	};
}
