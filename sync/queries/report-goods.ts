import * as z from "zod";
import { toDecimal, toMicros } from "../entities/money.ts";
import type { DbRow } from "../store/store.ts";
import { inDays, lineFacts, term } from "./facts.ts";
import {
	assertPeriod,
	daysOf,
	factDaysMax,
	type Period,
	periodDays,
	rangeOf,
} from "./period.ts";
import { placesBy } from "./place.ts";
import { defineList, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { all, sql, valuesOf } from "./sql.ts";

/** Sums of lines, less what came back on its own day. Margin is `profit / revenue`. */
const sums = {
	quantity: z.number(),
	revenue: z.number(),
	cost: z.number(),
	profit: z.number(),
	/** What the list prices would have brought more. */
	discount: z.number(),
	/** Revenue of lines with a cost of 0, whose profit is unknown. */
	revenueWithoutCost: z.number(),
};
const sumFields = [
	"quantity",
	"revenue",
	"cost",
	"profit",
	"discount",
	"revenueWithoutCost",
] as const;
type Sums = Record<(typeof sumFields)[number], number>;

const sort = z.enum(["revenue", "profit", "quantity", "cost", "discount"]);
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
 * it has 92 days at most. A shop with a million sales a year has 8,000 lines a day.
 */
export const reportProducts = defineList({
	name: "report.products",
	summary: "What each product brought in a period of at most 92 days",
	older: { since: ({ from = "" }) => from },
	args: {
		...args,
		/** Only products of this category, or null for those without one, with open items. */
		categoryId: anyId.nullable().optional(),
	},
	row: productRow,
	placeOf: (row) => places.placeOf({ ...row, key: row.productId ?? "" }),
	async read(context, { categoryId, sort, order, ...period }, page) {
		const products = await readProducts(context, period);
		if (categoryId !== undefined) {
			const categories = await readCategories(context);
			for (const key of products.keys())
				if ((categories.get(key)?.id ?? null) !== categoryId)
					products.delete(key);
		}
		const rows = pageOf(products, { sort, order }, page);
		const names = await readNames(
			context,
			rows.map(({ key }) => key),
		);
		return {
			rows: rows.map(({ key, sums }) => ({
				productId: key || null,
				name: key
					? (names.get(key) ?? products.get(key)?.lineName ?? null)
					: null,
				...toDecimals(sums),
			})),
		};
	},
});

/** The same of each category, as products are sorted into them now. */
export const reportCategories = defineList({
	name: "report.categories",
	summary: "What each category brought in a period of at most 92 days",
	older: { since: ({ from = "" }) => from },
	args,
	row: categoryRow,
	placeOf: (row) => places.placeOf({ ...row, key: row.categoryId ?? "" }),
	async read(context, { sort, order, ...period }, page) {
		const categories = await readCategories(context);
		const names = new Map<string, string>();
		const groups = new Map<string, Sums>();
		for (const [productId, sums] of await readProducts(context, period)) {
			const { id, name } = categories.get(productId) ?? { id: "", name: "" };
			names.set(id, name);
			groups.set(id, add(groups.get(id), sums));
		}
		return {
			rows: pageOf(groups, { sort, order }, page).map(({ key, sums }) => ({
				categoryId: key || null,
				name: names.get(key) || null,
				...toDecimals(sums),
			})),
		};
	},
});

/** A cursor holds every sum, because the order may be by any. */
const places = placesBy<Sums & { key: string }>(
	["string", ...sumFields.map(() => "decimal" as const)],
	({ key, ...sums }) => [key, ...sumFields.map((field) => sums[field])],
);

/** @returns a page of the groups, in the order asked for */
function pageOf(
	groups: Iterable<[string, Sums]>,
	{ sort, order }: { sort: Sort; order: "desc" | "asc" },
	{ after, limit }: { after: string | undefined; limit: number },
): { key: string; sums: Sums }[] {
	const sign = order === "desc" ? -1 : 1;
	const compare = (a: Place, b: Place) =>
		sign * (a.value - b.value || (a.key < b.key ? -1 : Number(a.key > b.key)));
	const cursor = places.read(after);
	const place = cursor && {
		key: cursor[0] as string,
		value: toMicros(cursor[1 + sumFields.indexOf(sort)] as number),
	};
	return [...groups]
		.map(([key, sums]) => ({ key, sums, value: sums[sort] }))
		.filter((group) => place === undefined || compare(group, place) > 0)
		.toSorted(compare)
		.slice(0, limit);
}

interface Place {
	key: string;
	value: number;
}

/** Reads the sums of each product by its id, "" for open items. Each day is a statement, so that others get a turn. */
async function readProducts(
	{ tx, businessId }: QueryContext,
	period: Period,
): Promise<Map<string, ProductSums>> {
	assertPeriod(period, factDaysMax);
	const products = new Map<string, ProductSums>();
	for (const day of daysOf(period)) {
		const facts = lineFacts(
			businessId,
			inDays(rangeOf({ from: day, to: day })),
			({ quantity, revenue, cost, discount }) =>
				sql`sale_items.product_id, sale_items.name, ${term(quantity)} AS quantity, ${term(revenue)} AS revenue, ${term(cost)} AS cost, ${term(discount)} AS discount,
          CASE WHEN sale_items.cost = 0 THEN ${term(revenue)} ELSE 0 END AS without_cost`,
		);
		const rows = await all(
			tx,
			sql`SELECT product_id, max(name) AS name, sum(quantity) AS quantity, sum(revenue) AS revenue, sum(cost) AS cost, sum(discount) AS discount, sum(without_cost) AS without_cost
        FROM (${facts}) AS facts GROUP BY product_id`,
		);
		for (const row of rows) {
			const key = (row.product_id ?? "") as string;
			const sums = { ...toSums(row), lineName: row.name as string };
			products.set(key, add(products.get(key), sums));
		}
	}
	return products;
}

interface ProductSums extends Sums {
	/** A name that a line had. */
	lineName: string;
}

function toSums(row: DbRow): Sums {
	const revenue = Number(row.revenue);
	const cost = Number(row.cost);
	return {
		quantity: Number(row.quantity),
		revenue,
		cost,
		profit: revenue - cost,
		discount: Number(row.discount),
		revenueWithoutCost: Number(row.without_cost),
	};
}

/** Adds sums to those of a group, if it has any. */
function add<Group extends Sums>(group: Group | undefined, more: Group): Group {
	if (!group) return { ...more };
	for (const field of sumFields) group[field] += more[field];
	return group;
}

const toDecimals = (sums: Sums): Sums => ({
	quantity: toDecimal(sums.quantity),
	revenue: toDecimal(sums.revenue),
	cost: toDecimal(sums.cost),
	profit: toDecimal(sums.profit),
	discount: toDecimal(sums.discount),
	revenueWithoutCost: toDecimal(sums.revenueWithoutCost),
});

/** Reads the category of each product that has one, by the product's id. */
async function readCategories({
	tx,
	businessId,
}: QueryContext): Promise<Map<string, { id: string; name: string }>> {
	const rows = await all(
		tx,
		sql`SELECT products.id AS product_id, categories.id, categories.name FROM products
      JOIN categories ON categories.business_id = ${businessId} AND categories.id = products.category_id
      WHERE products.business_id = ${businessId} AND categories.deleted = 0`,
	);
	return new Map(
		rows.map((row) => [
			row.product_id as string,
			{ id: row.id as string, name: row.name as string },
		]),
	);
}

async function readNames(
	{ tx, businessId }: QueryContext,
	ids: readonly string[],
): Promise<Map<string, string>> {
	if (ids.length === 0) return new Map();
	const rows = await all(
		tx,
		sql`SELECT id, name FROM products WHERE business_id = ${businessId} AND id IN (${valuesOf(ids)})`,
	);
	return new Map(rows.map(({ id, name }) => [id as string, name as string]));
}
