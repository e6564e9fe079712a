import * as z from "zod";
import { codeKeys, keyOf } from "../entities/gtin.ts";
import { type Product, product, productWire } from "../entities/product.ts";
import { type CodesOf, codesOf, hasKey } from "../entities/product-code.ts";
import { linesMax } from "../entities/sale-limits.ts";
import { readScaleLabel, scaleLabel } from "../entities/scale-label.ts";
import { searchable } from "../entities/searchable.ts";
import { selectWires } from "../rows/rows.ts";
import type { DbRow } from "../store/store.ts";
import { businessGet, businessToday } from "./business.ts";
import { likeText } from "./name-search.ts";
import { isNear, mayBeNear, soundParts } from "./near-name.ts";
import { conditionOf, productFilter } from "./product-filter.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { all, raw, type Sql, sql } from "./sql.ts";
import { readTopProducts } from "./tallies.ts";

const textMax = 500;
const wordsMax = 20;
const foundMax = 200;
/** The best sellers among them come first in a search. */
const rankedMax = 500;
/** More products than a shop has. */
const productsMax = 1e9;
/** Comes after all letters. */
const lastLetter = "\u{10ffff}";
/** More products with one code than anybody can choose from. */
const alikeMax = 20;

const found = z.object({ products: z.array(productWire) });

/** Finds products by what a cashier types: words of the name or code in any order. */
export const productFind = defineQuery({
	name: "product.find",
	summary:
		"The active products whose name or code has every word; names that start with the first word come first, then what sold best in the last 30 days. If none has them, those that have each word but for one typo",
	args: z.strictObject({
		words: z.string().max(textMax),
		categoryId: anyId.optional(),
		filter: productFilter.optional(),
		limit: z.int().min(1).max(foundMax).default(50),
		/** Finds nothing that isn't written so. */
		isExact: z.boolean().optional(),
	}),
	answer: found.extend({
		/** These are what may have been meant. */
		isNear: z.boolean().optional(),
	}),
	async run(context, { words, categoryId, filter, limit, isExact }) {
		const parts = searchable(words).split(/\s+/).filter(Boolean);
		// SQLite ends a LIKE pattern at a NUL, so the rest of the pattern would be ignored.
		if (words.includes("\0") || parts.length > wordsMax)
			return { products: [] };
		// Another form of a barcode has other digits.
		const keys = parts.length === 1 ? codeKeys(words) : [];
		const narrowed = sql`is_active = 1
      AND ${categoryId === undefined ? raw("1 = 1") : sql`category_id = ${categoryId}`}
      AND ${filter ? await conditionOf(context, filter) : raw("1 = 1")}`;
		const has = parts.map((word) =>
			hasWord(context.businessId, word, keys, isExact ? "sold" : "any"),
		);
		const rows = await findRanked(
			context,
			parts,
			has.reduce(and, narrowed),
			limit,
		);
		if (rows.length > 0 || isExact || !parts.some(mayBeNear))
			return { products: await readInOrder(context, rows.map(idOf)) };
		const near = await findNear(context, parts, narrowed);
		const ids = near.slice(0, limit).map(idOf);
		return { products: await readInOrder(context, ids), isNear: true };
	},
});

/** A product that was found, by its name as it is searched. */
interface Named extends DbRow {
	id: string;
	search_name: string;
}

const idOf = ({ id }: Named) => id;
const and = (a: Sql, b: Sql): Sql => sql`${a} AND ${b}`;
const or = (a: Sql, b: Sql): Sql => sql`${a} OR ${b}`;
const contains = (column: Sql, part: string): Sql =>
	sql`${column} LIKE ${`%${likeText(part)}%`} ESCAPE '!'`;

/**
 * That the name or a code has a word.
 *
 * @param keys of the code that the word is
 * @param of `sold` leaves out the codes of packs that aren't sold
 */
function hasWord(
	businessId: string,
	word: string,
	keys: readonly string[] = [],
	of: CodesOf = "any",
): Sql {
	const written = sql`${contains(raw("search_name"), word)} OR ${contains(raw("lower(sku)"), word)}
    OR id IN (SELECT product_id FROM product_codes AS codes WHERE business_id = ${businessId} AND deleted = 0 AND ${contains(raw("lower(code)"), word)} AND ${raw(codesOf[of])})`;
	const asKeys = keys.map((key) => hasKey(businessId, key, of));
	return sql`(${asKeys.reduce(or, written)})`;
}

/**
 * Finds products: names that start with the first word come first, then what sold best, then the rest by name. Each statement
 * reads in the order of its index and stops at the limit, since sorting all that a letter finds takes longer than drawing it.
 */
async function findRanked(
	{ tx, businessId }: QueryContext,
	[first = ""]: readonly string[],
	condition: Sql,
	limit: number,
): Promise<Named[]> {
	const read = (from: Sql, narrowed: Sql, order: Sql, most: number) =>
		all(
			tx,
			sql`SELECT id, search_name FROM ${from} WHERE business_id = ${businessId} AND deleted = 0 AND ${condition} AND ${narrowed} ORDER BY ${order} LIMIT ${most}`,
		) as Promise<Named[]>;
	const byName = (narrowed: Sql, most: number) =>
		read(raw("products"), narrowed, raw("search_name, id"), most);
	// SQLite reads a CROSS JOIN in the order in which it is written.
	const best = await read(
		sql`(SELECT product_id, revenue FROM tally_products WHERE business_id = ${businessId} AND revenue > 0 ORDER BY revenue DESC LIMIT ${rankedMax}) AS best CROSS JOIN products`,
		raw("id = product_id"),
		raw("revenue DESC, search_name, id"),
		rankedMax,
	);
	const named = await byName(
		sql`search_name >= ${first} AND search_name < ${first + lastLetter}`,
		limit,
	);
	const isEnough = named.length === limit || first === "";
	const others = isEnough
		? []
		: await byName(raw("1 = 1"), limit + named.length);
	const starting = best.filter(({ search_name }) =>
		search_name.startsWith(first),
	);
	const found = [...starting, ...named, ...best, ...others];
	return [...new Map(found.map((one) => [one.id, one])).values()].slice(
		0,
		limit,
	);
}

/** Finds the products whose names have each word, some of them with a typo. */
async function findNear(
	context: QueryContext,
	words: readonly string[],
	narrowed: Sql,
): Promise<Named[]> {
	// A word with digits only is a part of a code, or a size.
	const parts = words.map((word) =>
		mayBeNear(word)
			? sql`(${soundParts(word)
					.map((part) => contains(raw("search_name"), part))
					.reduce(or)})`
			: hasWord(context.businessId, word),
	);
	const rows = await findRanked(
		context,
		words,
		parts.reduce(and, narrowed),
		productsMax,
	);
	const meant = words.filter(mayBeNear);
	return rows.filter(({ search_name }) =>
		meant.every((word) => isNear(word, search_name)),
	);
}

/** Finds a product by a scanned code. */
export const productByCode = defineQuery({
	name: "product.byCode",
	summary:
		"The active product with a code, in any case and in any form of a barcode: UPC-A, UPC-E, EAN or GTIN-14. A scale's label names its product and how much of it",
	args: z.strictObject({ code: z.string().max(textMax) }),
	answer: z.object({
		product: productWire.nullable(),
		/** Further products with the same code. The till asks which one is meant. */
		others: z.array(productWire),
		/** The packs that the code is of, by their products. Other products are meant by the unit. */
		packIds: z.record(z.string(), z.string()),
		/** What a scale's label says: a weight, in the product's unit, or a price. Null of other codes. */
		label: z
			.object({ holds: scaleLabel.shape.holds, value: z.number() })
			.nullable(),
	}),
	async run(context, { code }) {
		const known = await findByKeys(context, codeKeys(code));
		if (known.product) return { ...known, label: null };
		const { scaleLabels = [] } = await businessGet.run(context, {});
		const read = readScaleLabel(code.trim(), scaleLabels);
		if (!read) return { ...known, label: null };
		const { codes, ...label } = read;
		return { ...(await findByKeys(context, codes.flatMap(codeKeys))), label };
	},
});

/** Finds the active products with one of some codes, by the first that any has. */
async function findByKeys(
	{ tx, businessId }: QueryContext,
	keys: readonly string[],
): Promise<{
	product: Product | null;
	others: Product[];
	packIds: Record<string, string>;
}> {
	for (const key of keys) {
		const { text, params } = hasKey(businessId, key, "sold");
		const [first, ...others] = await selectWires<Product>(
			tx,
			product,
			businessId,
			`AND is_active = 1 AND ${text} ORDER BY search_name, name, id LIMIT ${alikeMax}`,
			...params,
		);
		if (first) {
			const packIds = await packsByKey({ tx, businessId }, key);
			return { product: first, others, packIds };
		}
	}
	return { product: null, others: [], packIds: {} };
}

/** Finds the packs on sale with a code, by their products. */
async function packsByKey(
	{ tx, businessId }: Pick<QueryContext, "tx" | "businessId">,
	key: string,
): Promise<Record<string, string>> {
	const rows = await tx.all(
		`SELECT packs.product_id, packs.id FROM product_codes AS codes
     JOIN product_packs AS packs ON packs.business_id = codes.business_id AND packs.id = codes.pack_id AND packs.product_id = codes.product_id
     WHERE codes.business_id = ? AND codes.deleted = 0 AND ${keyOf("codes.code")} = ? AND packs.deleted = 0 AND packs.is_active = 1`,
		...[businessId, key],
	);
	return Object.fromEntries(
		rows.map(({ product_id, id }) => [product_id, id as string]),
	);
}

/** Reads the products in a cart. */
export const productSome = defineQuery({
	name: "product.some",
	summary:
		"The products with these ids, active or not. Unknown ids are left out",
	args: z.strictObject({ ids: z.array(anyId).max(linesMax) }),
	answer: found,
	async run({ tx, businessId }, { ids }) {
		if (ids.length === 0) return { products: [] };
		const products = await selectWires<Product>(
			tx,
			product,
			businessId,
			`AND id IN (${ids.map(() => "?").join(", ")}) ORDER BY id`,
			...ids,
		);
		return { products };
	},
});

/** The tickets that a till shows first. */
export const productBestSellers = defineQuery({
	name: "product.bestSellers",
	summary:
		"The active products that brought in most in the last 30 days, the best first",
	args: z.strictObject({ limit: z.int().min(1).max(foundMax).default(60) }),
	answer: found,
	settles: true,
	async run(context, { limit }) {
		const { tx, businessId } = context;
		const { day: today } = await businessToday.run(context, {});
		const best = await readTopProducts(tx, businessId, today, "revenue", limit);
		const ids = best.map(({ productId }) => productId);
		const products = await readInOrder(context, ids);
		return { products: products.filter(({ isActive }) => isActive) };
	},
});

/** Reads products in the order of their ids. */
async function readInOrder(
	context: QueryContext,
	ids: string[],
): Promise<Product[]> {
	const { products } = await productSome.run(context, { ids });
	const byId = new Map(products.map((one) => [one.id, one]));
	return ids.flatMap((id) => byId.get(id) ?? []);
}
