import { expect, test } from "vitest";
import type { Product } from "../../../sync/entities/product.ts";
import {
	addProduct,
	type Cart,
	changeLine,
	discount,
	emptyCart,
} from "./cart.ts";

const milk = {
	id: "milk",
	name: "Milk",
	sellingPrice: 65,
	buyingPrice: 40,
	isService: false,
} as Product;
const gift = { ...milk, id: "gift", sellingPrice: null } as Product;

function pricesOf({ lines }: Cart): number[] {
	return lines.map(({ price }) => price);
}

/** A cart with one product whose price was set by hand. */
function priced(product: Product, price: number): Cart {
	const cart = addProduct(emptyCart("c"), product);
	return changeLine(cart, "1", { price });
}

test.each([
	["a product's own price", addProduct(emptyCart("c"), milk), 58.5, 65],
	["a price lowered by hand", priced(milk, 50), 45, 50],
	["a price typed for a product without one", priced(gift, 100), 90, 100],
])(
	"a discount applies to %s once, and a discount of 0 removes it",
	(_, cart, off, whole) => {
		expect(pricesOf(discount(cart, 0.1))).toEqual([off]);
		expect(pricesOf(discount(discount(cart, 0.5), 0.1))).toEqual([off]);
		expect(pricesOf(discount(discount(cart, 0.1), 0))).toEqual([whole]);
	},
);

test("a quantity changed after a discount keeps the price that discounts apply to", () => {
	const off = discount(addProduct(emptyCart("c"), milk), 0.1);
	const more = changeLine(off, "1", { quantity: 3 });
	expect(pricesOf(discount(more, 0.2))).toEqual([52]);
});
