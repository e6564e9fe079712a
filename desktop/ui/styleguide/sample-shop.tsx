import type { ReactNode } from "react";
import type { Product } from "../../../sync/entities/product.ts";
import { Context } from "../session.tsx";
import { BusinessProvider } from "../shop/business.tsx";
import type { ShopClient } from "../shop/client.ts";
import {
	addProduct,
	type Cart,
	discountLine,
	emptyCart,
} from "../till/cart.ts";

const nobody = {
	...{ id: "u", name: "Njeri Kamau", email: "njeri@example.com" },
	...{ role: "user" as const, businessId: "b" },
};

/** Asked by components for the shop's currency, which then is the usual one. */
const shop = { ask: () => new Promise(() => {}) } as unknown as ShopClient;

/** What components of the till need around them, without a server or a database. */
export function SampleShop({ children }: { children: ReactNode }) {
	const nothing = async () => {};
	return (
		<Context
			value={{
				shop,
				session: { user: nobody, role: "OWNER" },
				isEnded: false,
				other: undefined,
				cashier: undefined,
				sellAs: () => {},
				question: undefined,
				signedIn: nothing,
				adopt: nothing,
				signOut: nothing,
			}}
		>
			<BusinessProvider>{children}</BusinessProvider>
		</Context>
	);
}

function sampleProduct(
	name: string,
	sellingPrice: number | null,
	quantity: number,
): Product {
	return {
		id: name,
		name,
		...{ sku: null, buyingPrice: 40, sellingPrice, quantity, lowStock: 5 },
		...{ isService: false, isActive: true, categoryId: null, category: null },
		...{ imageUrl: null, thumbnailUrl: null, businessId: "b" },
		...{ createdAt: "2026-11-24T06:00:00Z", updatedAt: "2026-11-24T06:00:00Z" },
	};
}

export const sampleProducts = [
	sampleProduct("Maziwa 500 ml", 65, 24),
	sampleProduct("Brown bread 400 g", 60, 3),
	sampleProduct("Cooking oil, 5 litres, in a can", 1_849.5, 0),
	sampleProduct("Gift", null, 12),
] as const;

const [milk, bread, oil, gift] = sampleProducts;

/** Lines in every state: plain, discounted, more than there is in stock, without a price. */
export const sampleCart: Cart = [
	(cart: Cart) => addProduct(cart, milk, 2),
	(cart: Cart) => discountLine(addProduct(cart, bread), "2", { percent: 10 }),
	(cart: Cart) => addProduct(cart, oil),
	(cart: Cart) =>
		addProduct(cart, { ...gift, sellingPrice: 0, hasNoPrice: true }),
].reduce((cart, change) => change(cart), emptyCart("sample"));
