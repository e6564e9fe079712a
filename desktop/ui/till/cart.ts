import {
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Cart, CartLine } from "../../../sync/till/cart.ts";

export type { Cart, CartLine };

export function emptyCart(id: string): Cart {
	return { id, lines: [], note: "" };
}

/** The fields of a product that a line copies. */
type Sold = Pick<
	Product,
	"id" | "name" | "sellingPrice" | "buyingPrice" | "isService"
> &
	Pick<CartLine, "hasNoPrice">;

/** Adds a line without a product: a typed name and price, sold once. */
export function addOpenItem(cart: Cart, name: string, price: number): Cart {
	const line: CartLine = {
		id: nextLineId(cart),
		productId: null,
		name,
		quantity: 1,
		price,
		cost: 0,
		isService: false,
		listPrice: price,
	};
	return { ...cart, lines: [...cart.lines, line] };
}

/** The price typed earlier in this sale for a product. */
export function priceTyped({ lines }: Cart, productId: string) {
	return lines.find(
		(line) => line.productId === productId && line.listPrice > 0,
	)?.listPrice;
}

/** Adds a product, to its existing line if that has the same price. */
export function addProduct(cart: Cart, product: Sold, quantity = 1): Cart {
	const price = product.sellingPrice ?? 0;
	const known = cart.lines.findIndex(
		(line) => line.productId === product.id && line.price === price,
	);
	if (known >= 0) {
		const line = cart.lines[known] as CartLine;
		return changeLine(cart, line.id, {
			quantity: plus(line.quantity, quantity),
		});
	}
	const line: CartLine = {
		id: nextLineId(cart),
		productId: product.id,
		name: product.name,
		quantity,
		price,
		cost: product.buyingPrice ?? 0,
		isService: product.isService,
		listPrice: price,
		...(product.hasNoPrice && { hasNoPrice: true }),
	};
	return { ...cart, lines: [...cart.lines, line] };
}

/** Changes a line's quantity or price; a quantity of 0 removes the line, and later discounts apply to the new price. */
export function changeLine(
	cart: Cart,
	id: string,
	change: Partial<Pick<CartLine, "quantity" | "price">>,
): Cart {
	const set =
		change.price === undefined
			? change
			: { ...change, listPrice: change.price };
	const lines = cart.lines
		.map((line) => (line.id === id ? { ...line, ...set } : line))
		.filter(({ quantity }) => quantity > 0);
	return { ...cart, lines };
}

/** Takes a fraction off every line's price, `0.1` for 10%, rounded to hundredths. */
export function discount(cart: Cart, part: number): Cart {
	return {
		...cart,
		lines: cart.lines.map((line) => ({
			...line,
			price: Math.round(line.listPrice * (1 - part) * 100) / 100,
		})),
	};
}

/** The lines sold for 0 because their product has no price; a free product has a price of 0. */
export function unpricedOf(
	{ lines }: Cart,
	products: ReadonlyMap<string, Product>,
): CartLine[] {
	return lines.filter((line) => line.price === 0 && lacksPrice(line, products));
}

/** @param products the loaded products; for others the line's `hasNoPrice` counts */
export function lacksPrice(
	{ productId, hasNoPrice = false }: CartLine,
	products: ReadonlyMap<string, Product>,
): boolean {
	const product = products.get(productId ?? "");
	return product ? product.sellingPrice === null : hasNoPrice;
}

/** The sale's total, exactly as the server computes it. */
export function totalOf({ lines }: Pick<Cart, "lines">): number {
	return toDecimal(
		sumOfProducts(
			lines.map(({ price, quantity }) => ({
				price: toMicros(price),
				quantity: toMicros(quantity),
			})),
		),
	);
}

export function lineTotal(line: Pick<CartLine, "price" | "quantity">): number {
	return totalOf({ lines: [line as CartLine] });
}

/** Adds decimals exactly, in whole millionths. */
export function plus(a: number, b: number): number {
	return toDecimal(toMicros(a) + toMicros(b));
}

function nextLineId({ lines }: Cart): string {
	return String(Math.max(0, ...lines.map(({ id }) => Number(id))) + 1);
}

/** Puts removed lines back at the top of the cart, where they were last seen. */
export function putBack(cart: Cart, lines: readonly CartLine[]): Cart {
	const all = [...lines, ...cart.lines];
	return {
		...cart,
		lines: all.map((line, i) => ({ ...line, id: String(i + 1) })),
	};
}
