import * as z from "zod";
import { addDays } from "../protocol/clock.ts";
import { businessToday } from "./business.ts";
import { product } from "./facts.ts";
import type { QueryContext } from "./query.ts";
import { raw, type Sql, sql } from "./sql.ts";

/** A product that wasn't sold for this many days counts as unsold. */
const unsoldDays = 90;

/** What an owner may want to put right about products. */
export const productFilter = z.enum([
	"noPrice",
	"underCost",
	"noCode",
	"low",
	"negative",
	"unsold",
	"label",
]);
type ProductFilter = z.infer<typeof productFilter>;

const conditions = {
	noPrice: raw("selling_price IS NULL"),
	underCost: raw("selling_price < buying_price"),
	// As the partial index has it.
	low: raw("quantity <= low_stock AND is_service = 0"),
	negative: raw("quantity < 0 AND is_service = 0"),
} satisfies Partial<Record<ProductFilter, Sql>>;

/** @returns the filter as a condition on `products` */
export async function conditionOf(
	context: QueryContext,
	filter: ProductFilter,
): Promise<Sql> {
	if (filter === "noCode")
		return sql`sku IS NULL AND is_service = 0 AND id NOT IN (
      SELECT product_id FROM product_codes WHERE business_id = ${context.businessId} AND deleted = 0)`;
	if (filter === "label") return hasOldLabel(context.businessId);
	if (filter !== "unsold") return conditions[filter];
	const { day } = await businessToday.run(context, {});
	return unsoldSince(context.businessId, addDays(day, -unsoldDays));
}

const packPrice = raw(
	`coalesce(pack.selling_price, ${product("products.selling_price", "pack.size")})`,
);

/**
 * A product whose label says something else, or that has none in a shop that prints labels. A pack's label, whose id is the
 * pack's, counts once it has been printed.
 */
function hasOldLabel(businessId: string): Sql {
	return sql`EXISTS (SELECT 1 FROM labels WHERE business_id = ${businessId} AND deleted = 0)
    AND is_service = 0 AND selling_price IS NOT NULL AND (NOT EXISTS (
      SELECT 1 FROM labels WHERE labels.business_id = ${businessId} AND labels.id = products.id AND labels.deleted = 0
        AND labels.name = products.name AND labels.price = products.selling_price
        AND coalesce(labels.code, '') = coalesce(products.sku, ''))
    OR EXISTS (
      SELECT 1 FROM product_packs AS pack
      JOIN labels ON labels.business_id = pack.business_id AND labels.id = pack.id AND labels.deleted = 0
      WHERE pack.business_id = ${businessId} AND pack.product_id = products.id AND pack.is_active = 1 AND pack.deleted = 0
        AND NOT (labels.name = products.name || ', ' || pack.name AND labels.price = ${packPrice}
          AND coalesce(labels.code, '') IN (
            SELECT code FROM product_codes AS code WHERE code.business_id = pack.business_id AND code.pack_id = pack.id AND code.deleted = 0
            UNION ALL SELECT '' WHERE NOT EXISTS (
              SELECT 1 FROM product_codes AS code WHERE code.business_id = pack.business_id AND code.pack_id = pack.id AND code.deleted = 0)))))`;
}

/**
 * Goods that were there before a day began in UTC and weren't sold after that. SQLite reads a CROSS JOIN in the order in which it
 * is written, and from its newest sale one look tells of most products; the others sell seldom, and have few to look through.
 */
function unsoldSince(businessId: string, day: string): Sql {
	const moment = `${day}T00:00:00.000Z`;
	const ms = Date.parse(moment);
	return sql`is_service = 0 AND products.created_at < ${moment}
    AND (SELECT 1 FROM shops CROSS JOIN names AS sold CROSS JOIN stored_lines AS line CROSS JOIN stored_sales AS sale
      WHERE shops.business_id = ${businessId} AND sold.shop = shops.n AND sold.text = products.id
        AND line.shop = sold.shop AND line.product = sold.n
        AND sale.shop = line.shop AND sale.n = line.sale AND sale.made_ms >= ${ms}
      ORDER BY line.sale DESC LIMIT 1) IS NULL`;
}
