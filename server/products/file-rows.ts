import type { Product } from "../../sync/entities/product.ts";
import type { ProductCode } from "../../sync/entities/product-code.ts";
import { categoryList } from "../../sync/queries/category.ts";
import { pagesOf } from "../../sync/queries/list-pages.ts";
import { codeList } from "../../sync/queries/product-code.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { fields } from "./import/layouts.ts";
import { writeCodes } from "./list-cell.ts";
import { writePacks } from "./pack-cell.ts";

/**
 * The columns of a file of products, which an import reads back: `isActive` marks the file as Counterfoil's, `id` identifies
 * each line's product.
 */
export const fileColumns = [...fields, "id"];

/** What a file says of products that their rows don't have. */
interface FileDetails {
	taxes: ReadonlyMap<string, string>;
	/** Further codes, by product. */
	codes: ReadonlyMap<string, readonly ProductCode[]>;
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

/** The further codes of products, by their ids. */
async function furtherCodes(
	shop: Pick<Shop, "ask">,
	caller: Pick<Caller, "businessId" | "role">,
): Promise<Map<string, ProductCode[]>> {
	const codes = new Map<string, ProductCode[]>();
	for await (const page of pagesOf(shop, caller, codeList, {}))
		for (const code of page) {
			const { productId } = code;
			const own = codes.get(productId);
			if (own) own.push(code);
			else codes.set(productId, [code]);
		}
	return codes;
}

/** A product as a line of such a file. */
export function toFileRow(
	{ category, packs = [], ...row }: Product,
	{ taxes, codes }: FileDetails,
) {
	const own = codes.get(row.id) ?? [];
	const of = (id: string | undefined) =>
		own.filter(({ packId }) => packId === id).map(({ code }) => code);
	return {
		...row,
		// Not those of packs that are gone, which mean nothing.
		codes: writeCodes(of(undefined)) || null,
		packs: writePacks(packs, of),
		category: category?.name ?? null,
		categoryTaxClass: taxes.get(category?.id ?? "") ?? null,
	};
}
