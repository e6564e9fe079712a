import fc from "fast-check";
import { expect, test } from "vitest";
import type { Product } from "../../../sync/entities/product.ts";
import {
	addProduct,
	type Cart,
	changeLine,
	discountCart,
	discountLine,
	emptyCart,
	savedOf,
	totalOf,
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
		expect(pricesOf(discountCart(cart, { percent: 10 }))).toEqual([off]);
		expect(
			pricesOf(
				discountCart(discountCart(cart, { percent: 50 }), { percent: 10 }),
			),
		).toEqual([off]);
		expect(
			pricesOf(
				discountCart(discountCart(cart, { percent: 10 }), { percent: 0 }),
			),
		).toEqual([whole]);
	},
);

test("a quantity changed after a discount keeps the price that discounts apply to", () => {
	const off = discountCart(addProduct(emptyCart("c"), milk), { percent: 10 });
	const more = changeLine(off, "1", { quantity: 3 });
	expect(pricesOf(discountCart(more, { percent: 20 }))).toEqual([52]);
});

test("an amount off the cart is spread over its lines to the hundredth", () => {
	const bread = { ...milk, id: "bread", name: "Bread", sellingPrice: 33.33 };
	let cart = addProduct(emptyCart("c"), milk, 2);
	cart = addProduct(cart, bread, 1);
	const off = discountCart(cart, { amount: 10 });
	expect(totalOf(off)).toBe(153.33);
	expect(savedOf(off)).toBe(10);
	expect(totalOf(discountCart(off, { amount: 0 }))).toBe(163.33);
});

test("pieces whose discounted price isn't exact become two lines, and one again without the discount", () => {
	const cart = addProduct(emptyCart("c"), milk, 3);
	const off = discountLine(cart, "1", { amount: 10 });
	expect(off.lines.map(({ quantity, price }) => [quantity, price])).toEqual([
		[1, 61.66],
		[2, 61.67],
	]);
	expect(totalOf(off)).toBe(185);
	expect(new Set(off.lines.map(({ id }) => id)).size).toBe(2);
	expect(discountCart(off, { percent: 0 }).lines).toEqual(cart.lines);
});

test("prices with more digits than a hundredth are discounted exactly in a currency that has them, and come back whole", () => {
	const bread = { ...milk, sellingPrice: 1.785 };
	for (const quantity of [1, 0.335, 3]) {
		const cart = addProduct(emptyCart("c"), bread, quantity);
		const off = discountCart(cart, { amount: 0.125 }, 3);
		expect(savedOf(off)).toBeCloseTo(0.125, 3);
		expect(totalOf(off)).toBeCloseTo(totalOf(cart) - 0.125, 3);
		for (const digits of [0, 2, 3])
			expect(discountCart(off, { percent: 0 }, digits).lines).toEqual(
				cart.lines,
			);
	}
});

test("a discount takes off at most what the goods cost", () => {
	const cart = addProduct(emptyCart("c"), milk);
	expect(totalOf(discountCart(cart, { amount: 100 }))).toBe(0);
	expect(totalOf(discountCart(cart, { percent: 200 }))).toBe(0);
});

test("any discount on any cart is exact to the hundredth, and leaves all pieces", () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.record({
					cents: fc.integer({ min: 0, max: 100_000 }),
					quantity: fc.integer({ min: 1, max: 50 }),
				}),
				{ minLength: 1, maxLength: 8 },
			),
			fc.integer({ min: 0, max: 1_000_000 }),
			(lines, cents) => {
				const cart = lines.reduce(
					(now, { cents, quantity }, i) =>
						addProduct(
							now,
							{ ...milk, id: `p${i}`, sellingPrice: cents / 100 },
							quantity,
						),
					emptyCart("c"),
				);
				const whole = Math.round(totalOf(cart) * 100);
				const off = discountCart(cart, { amount: cents / 100 });
				expect(Math.round(totalOf(off) * 100)).toBe(Math.max(0, whole - cents));
				const pieces = (one: Cart) =>
					one.lines.reduce((sum, { quantity }) => sum + quantity, 0);
				expect(pieces(off)).toBe(pieces(cart));
			},
		),
	);
});
