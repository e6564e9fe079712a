import { useMemo } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import type { ShopClient } from "../shop/client.ts";
import { useAnswer } from "../shop/use-shop-data.ts";
import type { Cart, CartLine } from "./cart.ts";

/** Most products in one query for a cart. */
const productsMax = 500;

/** The current products of a cart by id, once loaded. */
export function useProductsOf({ lines }: Cart): ReadonlyMap<string, Product> {
	const ids = [...new Set(lines.flatMap(({ productId }) => productId ?? []))];
	const { data } = useAnswer(
		"product.some",
		{ ids: ids.slice(-productsMax) },
		{ enabled: ids.length > 0 },
	);
	return useMemo(
		() => new Map(data?.products.map((product) => [product.id, product])),
		[data],
	);
}

/** Reads a line's product, also before the cart with it has been shown. */
export async function readProductOf(
	shop: ShopClient,
	{ productId }: CartLine,
): Promise<Product | undefined> {
	if (productId === null) return undefined;
	const { products } = await shop.ask("product.some", { ids: [productId] });
	return products[0];
}
