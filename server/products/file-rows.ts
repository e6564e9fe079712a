import type { Product } from "../../sync/entities/product.ts";
import { categoryList } from "../../sync/queries/category.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { fields } from "./import/layouts.ts";

/**
 * The columns of a file of products, which an import reads back: `isActive` marks the file as Counterfoil's, `id` identifies
 * each line's product.
 */
export const fileColumns = [...fields, "id"];

/** The tax classes of categories that have one, by id. */
export async function categoryTaxes(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
): Promise<Map<string, string>> {
	const taxes = new Map<string, string>();
	for await (const page of pagesOf(shop, caller, categoryList, {}))
		for (const { id, taxClass } of page) if (taxClass) taxes.set(id, taxClass);
	return taxes;
}

/** A product as a line of such a file. */
export function toFileRow(
	{ category, packs: _, ...row }: Product,
	taxes: ReadonlyMap<string, string>,
) {
	return {
		...row,
		category: category?.name ?? null,
		categoryTaxClass: taxes.get(category?.id ?? "") ?? null,
	};
}
