import { useQuery } from "@tanstack/react-query";
import type { Product } from "../../../sync/entities/product.ts";
import { useShop } from "../session.tsx";
import { shopKey } from "../shop/client.ts";
import { priceIn } from "../till/cart.ts";

/** What a label is of: a product, or a pack of it with its own name, price and code. */
export interface LabelGoods extends Product {
	packId?: string;
	packSize?: number;
}

const packsOf = ({ packs = [] }: Product) =>
	packs.filter(({ isActive }) => isActive);

/** Returns the packs that are sold of some products, for labels. */
export function usePackLabels(products: readonly Product[]): LabelGoods[] {
	const { shop } = useShop();
	const packed = products.filter((product) => packsOf(product).length > 0);
	const ids = packed.map(({ id }) => id);
	const codes = useQuery({
		queryKey: [shopKey, "code.list", ids],
		async queryFn() {
			const lists = await Promise.all(
				ids.map((productId) => shop.ask("code.list", { productId })),
			);
			return lists.flatMap(({ rows }) => rows);
		},
		networkMode: "always",
		enabled: ids.length > 0,
	}).data;
	// A label without its barcode would have to be printed again.
	if (!codes) return [];
	return packed.flatMap((product) =>
		packsOf(product).map((pack) => ({
			...product,
			name: `${product.name}, ${pack.name}`,
			sellingPrice: priceIn(product, pack),
			sku: codes.find(({ packId }) => packId === pack.id)?.code ?? null,
			packId: pack.id,
			packSize: pack.size,
		})),
	);
}
