import type { Product } from "../../sync/entities/product.ts";
import { categoryList } from "../../sync/queries/category.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { codeList } from "../../sync/queries/product-code.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { fields } from "./import/layouts.ts";

/**
 * The columns of a file of products, which an import reads back: `isActive` marks the file as Counterfoil's, `id` identifies
 * each line's product.
 */
export const fileColumns = [...fields, "id"];

/** What a file says of products that their rows don't have. */
interface FileDetails {
	taxes: ReadonlyMap<string, string>;
	codes: ReadonlyMap<string, string>;
}

export async function readFileDetails(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
): Promise<FileDetails> {
	return {
		taxes: await categoryTaxes(shop, caller),
		codes: await furtherCodes(shop, caller),
	};
}

/** The tax classes of categories that have one, by id. */
async function categoryTaxes(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
): Promise<Map<string, string>> {
	const taxes = new Map<string, string>();
	for await (const page of pagesOf(shop, caller, categoryList, {}))
		for (const { id, taxClass } of page) if (taxClass) taxes.set(id, taxClass);
	return taxes;
}

/** The further codes of products by their ids, as one cell; those of packs are left out. */
async function furtherCodes(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
): Promise<Map<string, string>> {
	const codes = new Map<string, string[]>();
	for await (const page of pagesOf(shop, caller, codeList, {}))
		for (const { productId, packId, code } of page)
			if (packId === undefined)
				codes.set(productId, [...(codes.get(productId) ?? []), code]);
	// Codes that were added at once have no order of their ids.
	return new Map([...codes].map(([id, all]) => [id, all.sort().join("|")]));
}

/** A product as a line of such a file. */
export function toFileRow(
	{ category, packs: _, ...row }: Product,
	{ taxes, codes }: FileDetails,
) {
	return {
		...row,
		codes: codes.get(row.id) ?? null,
		category: category?.name ?? null,
		categoryTaxClass: taxes.get(category?.id ?? "") ?? null,
	};
}
