import { useCallback, useMemo, useRef } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import type { ShopClient } from "../shop/client.ts";
import { useAnswer, useRows } from "../shop/use-shop-data.ts";

const pageSize = 200;
const inCategory = (id: string | null) =>
	id === null ? {} : { categoryId: id };

/** Which of the products a page lists. */
type Narrowing = Pick<Queries["product.list"]["args"], "show" | "filter">;

interface SearchOptions extends Narrowing {
	/** Whether the products are shown at all. */
	isWanted?: boolean;
}

const noProducts: readonly Product[] = [];

/** Loads the active products that match a search, or all of a category, page by page. Keeps the last result until the next arrives. */
export function useProductSearch(
	words: string,
	category: string | null,
	{ show = "active", filter, isWanted = true }: SearchOptions = {},
) {
	const filtered = filter ? { filter } : {};
	const isSearched = words.trim() !== "";
	const all = useRows(
		"product.list",
		{ ...inCategory(category), show, ...filtered },
		{ limit: pageSize, enabled: isWanted && !isSearched },
	);
	const search = useAnswer(
		"product.find",
		{ words, ...inCategory(category), ...filtered, limit: pageSize },
		{ enabled: isWanted && isSearched },
	);
	const now = isSearched ? search : all;
	const latest = useRef<readonly Product[]>(undefined);
	const products = useMemo(
		() =>
			isSearched
				? search.data?.products
				: all.data?.pages.flatMap(({ rows }) => rows),
		[isSearched, search.data, all.data],
	);
	const isCurrent = products !== undefined && !now.isPlaceholderData;
	if (isCurrent) latest.current = products;
	const { hasNextPage, isFetching, fetchNextPage } = all;
	const mayReadMore = isWanted && !isSearched && hasNextPage && !isFetching;
	const readMore = useCallback(() => {
		if (mayReadMore) void fetchNextPage();
	}, [mayReadMore, fetchNextPage]);
	return {
		products: latest.current ?? noProducts,
		isKnown: latest.current !== undefined,
		isCurrent,
		/** No name has the words; these are near to them. */
		isNear: isSearched && search.data?.isNear === true,
		readMore,
		error: now.error,
	};
}

/** A product that was found, and what the scale's label says by whose code it was. */
export interface FoundProduct {
	product: Product;
	label: Queries["product.byCode"]["answer"]["label"];
	/** Further products with the same code. */
	others: readonly Product[];
	/** The packs that the code is of, by their products. */
	packIds: Readonly<Record<string, string>>;
}

/** Finds the product with a scanned code, and any others. */
export async function findByCode(
	shop: ShopClient,
	code: string,
): Promise<FoundProduct | undefined> {
	const { product, ...rest } = await shop.ask("product.byCode", { code });
	return product ? { product, ...rest } : undefined;
}

/** Finds the product with this code, or else the first search result, queried again for exactly these words. */
export async function findBySearch(
	shop: ShopClient,
	words: string,
	category: string | null,
): Promise<FoundProduct | undefined> {
	const known = await findByCode(shop, words);
	if (known) return known;
	const { products } = await shop.ask("product.find", {
		words,
		...inCategory(category),
		limit: 1,
		isExact: true,
	});
	const [product] = products;
	return product && { product, label: null, others: noProducts, packIds: {} };
}
