import * as z from "zod";
import { searchable } from "../entities/fields.ts";
import { type Product, product, productWire } from "../entities/product.ts";
import { readScaleLabel, scaleLabel } from "../entities/scale-label.ts";
import { selectWires } from "../rows/rows.ts";
import type { Value } from "../store/store.ts";
import { businessGet, businessToday } from "./business.ts";
import { likeText } from "./name-search.ts";
import { conditionOf, productFilter } from "./product-filter.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { readTopProducts } from "./tallies.ts";

const textMax = 500;
const wordsMax = 20;
const foundMax = 200;
const someMax = 500;

const found = z.object({ products: z.array(productWire) });

/** Finds products by what a cashier types: words of the name or code in any order. */
export const productFind = defineQuery({
	name: "product.find",
	summary:
		"The active products whose name or code has every word, names that start with the first word first",
	args: z.strictObject({
		words: z.string().max(textMax),
		categoryId: anyId.optional(),
		filter: productFilter.optional(),
		limit: z.int().min(1).max(foundMax).default(50),
	}),
	answer: found,
	async run(context, { words, categoryId, filter, limit }) {
		const { tx, businessId } = context;
		const parts = searchable(words).split(/\s+/).filter(Boolean);
		// SQLite ends a LIKE pattern at a NUL, so the rest of the pattern would be ignored.
		if (words.includes("\0") || parts.length > wordsMax)
			return { products: [] };
		const conditions = ["AND is_active = 1"];
		const params: Value[] = [];
		for (const part of parts) {
			conditions.push(
				"AND (search_name LIKE ? ESCAPE '!' OR lower(sku) LIKE ? ESCAPE '!')",
			);
			params.push(`%${likeText(part)}%`, `%${likeText(part)}%`);
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
		const products = await selectWires<Product>(
			tx,
			product,
			businessId,
			`${conditions.join(" ")}
       ORDER BY CASE WHEN search_name LIKE ? ESCAPE '!' THEN 0 ELSE 1 END, search_name, name, id LIMIT ?`,
			...params,
			`${likeText(parts[0] ?? "")}%`,
			limit,
		);
		return { products };
	},
});

/** Finds a product by a scanned code. */
export const productByCode = defineQuery({
	name: "product.byCode",
	summary:
		"The active product with a code, in any case. A UPC of 12 digits also matches the EAN of 13 digits that prefixes a zero. A scale's label names its product and how much of it",
	args: z.strictObject({ code: z.string().max(textMax) }),
	answer: z.object({
		product: productWire.nullable(),
		/** What a scale's label says: a weight, in the product's unit, or a price. Null of other codes. */
		label: z
			.object({ holds: scaleLabel.shape.holds, value: z.number() })
			.nullable(),
	}),
	async run(context, { code }) {
		const scanned = code.trim().toLowerCase();
		const known = await findByCodes(context, codesLike(scanned));
		if (known) return { product: known, label: null };
		const { scaleLabels = [] } = await businessGet.run(context, {});
		const read = readScaleLabel(scanned, scaleLabels);
		if (!read) return { product: null, label: null };
		const { codes, ...label } = read;
		return { product: (await findByCodes(context, codes)) ?? null, label };
	},
});

/** Finds the active product with one of some codes, by the first that any has. */
async function findByCodes(
	{ tx, businessId }: QueryContext,
	codes: readonly string[],
): Promise<Product | undefined> {
	const rank = codes.map((_, i) => `WHEN ? THEN ${i}`).join(" ");
	const [first] = await selectWires<Product>(
		tx,
		product,
		businessId,
		// Digits have no case, so the plain index serves.
		`AND is_active = 1 AND ${/^\d+$/.test(codes[0] ?? "") ? "sku" : "lower(sku)"} IN (${codes.map(() => "?").join(", ")})
     ORDER BY CASE lower(sku) ${rank} END, search_name, name, id LIMIT 1`,
		...codes,
		...codes,
	);
	return first;
}

/** Reads the products in a cart. */
export const productSome = defineQuery({
	name: "product.some",
	summary:
		"The products with these ids, active or not. Unknown ids are left out",
	args: z.strictObject({ ids: z.array(anyId).max(someMax) }),
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
		const { products } = await productSome.run(context, { ids });
		const ranks = new Map(ids.map((id, rank) => [id, rank]));
		return {
			products: products
				.filter(({ isActive }) => isActive)
				.sort((a, b) => (ranks.get(a.id) ?? 0) - (ranks.get(b.id) ?? 0)),
		};
	},
});

function codesLike(code: string): string[] {
	if (/^\d{12}$/.test(code)) return [code, `0${code}`];
	if (/^0\d{12}$/.test(code)) return [code, code.slice(1)];
	return [code];
}
