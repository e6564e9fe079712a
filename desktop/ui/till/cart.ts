import {
	plus,
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Cart, CartLine } from "../../../sync/till/cart.ts";

export type { Cart, CartLine };

export function emptyCart(id: string): Cart {
	return { id, lines: [], note: "" };
}

/** The fields of a product that a line copies. */
type Sold = Pick<
	Product,
	"id" | "name" | "sellingPrice" | "buyingPrice" | "isService" | "unit"
> &
	Pick<CartLine, "hasNoPrice"> & {
		/** What the price is of. Absent for the product's own unit. */
		pack?: ProductPack | undefined;
	};

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

/** The price typed earlier in this sale for a product, or for a pack of it. */
export function priceTyped(
	{ lines }: Cart,
	productId: string,
	pack?: ProductPack,
): number | undefined {
	const typedFor = (id: string | undefined) =>
		lines.find(
			(line) =>
				line.productId === productId &&
				line.packId === id &&
				line.listPrice > 0,
		)?.listPrice;
	const ofUnit = typedFor(undefined);
	return (
		(pack && typedFor(pack.id)) ??
		(ofUnit === undefined ? undefined : inPack(ofUnit, pack))
	);
}

/** Adds a product, to its existing line if that has the same price. */
export function addProduct(cart: Cart, product: Sold, quantity = 1): Cart {
	const added = soldIn(product);
	const line = cart.lines.find(
		({ productId, price, packId }) =>
			productId === product.id &&
			price === added.price &&
			packId === product.pack?.id,
	);
	if (line)
		return changeLine(cart, line.id, {
			quantity: plus(line.quantity, quantity),
		});
	const id = nextLineId(cart);
	return { ...cart, lines: [...cart.lines, { ...added, id, quantity }] };
}

/** Sells a line in another pack or in its product's own unit: as many of them, at their price. */
export function repackLine(cart: Cart, id: string, product: Sold): Cart {
	const lines = cart.lines.map((line) =>
		line.id === id ? { ...soldIn(product), id, quantity: line.quantity } : line,
	);
	return { ...cart, lines };
}

function soldIn(product: Sold): Omit<CartLine, "id" | "quantity"> {
	const { name, pack, isService, unit } = product;
	const price = product.sellingPrice ?? 0;
	return {
		...{ productId: product.id, name, price, listPrice: price, isService },
		cost: inPack(product.buyingPrice ?? 0, pack),
		...(product.hasNoPrice && { hasNoPrice: true }),
		...(unit && { unit }),
		...(pack && {
			...{ packId: pack.id, packName: pack.name, packSize: pack.size },
		}),
	};
}

/** A price of a product's unit, for a pack of them. */
function inPack(price: number, pack: ProductPack | undefined): number {
	return pack ? lineTotal({ price, quantity: pack.size }) : price;
}

/** What a pack of a product is sold for, or the product's own unit; null without a price. */
export function priceIn(
	{ sellingPrice }: Pick<Product, "sellingPrice">,
	pack: ProductPack | undefined,
): number | null {
	if (pack && pack.sellingPrice !== null) return pack.sellingPrice;
	return sellingPrice === null ? null : inPack(sellingPrice, pack);
}

/** How many of its product's units a line is. */
export function unitsOf({
	quantity,
	packSize = 1,
}: Pick<CartLine, "quantity" | "packSize">): number {
	return lineTotal({ price: packSize, quantity });
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
	const changed = cart.lines.map((line) =>
		line.id === id ? { ...line, ...set } : line,
	);
	const lines = changed.filter(({ quantity }) => quantity > 0);
	const taken = cart.lines.filter(
		({ id }) => !lines.some((line) => line.id === id),
	);
	return withRemoved({ ...cart, lines }, taken);
}

/** Notes lines that are no longer in a cart, for the record. */
export function withRemoved(cart: Cart, taken: readonly CartLine[]): Cart {
	if (taken.length === 0) return cart;
	return { ...cart, removed: [...(cart.removed ?? []), ...taken] };
}

/** What is taken off a line or a whole cart. */
export type Discount = { percent: number } | { amount: number };

/**
 * Gives a discount on one line instead of any that it has; `{ percent: 0 }` takes it off.
 *
 * @param digits those of the currency
 */
export function discountLine(
	cart: Cart,
	id: string,
	off: Discount,
	digits?: number,
): Cart {
	return discountLines(cart, (line) => line.id === id, off, digits);
}

/** Gives a discount on all lines instead of any that they have. */
export function discountCart(cart: Cart, off: Discount, digits?: number): Cart {
	return discountLines(cart, () => true, off, digits);
}

function discountLines(
	cart: Cart,
	isChosen: (line: CartLine) => boolean,
	off: Discount,
	digits = 2,
): Cart {
	// Prices have cents also where no coin is so small.
	const one = 10 ** Math.max(digits, 2);
	const chosen = joined(cart.lines.filter(isChosen));
	const listed = chosen.map((line) => Math.round(listTotal(line) * one));
	const whole = listed.reduce((sum, part) => sum + part, 0);
	const amount =
		"percent" in off
			? Math.round((whole * Math.min(off.percent, 100)) / 100)
			: Math.min(Math.round(off.amount * one), whole);
	const shares = spread(amount, listed);
	const priced = chosen.flatMap((line, i) =>
		amount === 0
			? { ...line, price: line.listPrice }
			: atTotal(line, (listed[i] ?? 0) - (shares[i] ?? 0), one),
	);
	// Each in the place of the line that it was.
	const lines = cart.lines.flatMap((line) =>
		isChosen(line) ? priced.filter(({ id }) => id === line.id) : [line],
	);
	return { ...cart, lines: withOwnIds(lines) };
}

/** Makes one line again of those that an earlier discount has split. */
function joined(lines: readonly CartLine[]): CartLine[] {
	const all: CartLine[] = [];
	for (const line of lines) {
		const at = all.findIndex(
			({ productId, name, listPrice, packId }) =>
				productId !== null &&
				productId === line.productId &&
				name === line.name &&
				packId === line.packId &&
				listPrice === line.listPrice,
		);
		const known = all[at];
		if (known)
			all[at] = { ...known, quantity: plus(known.quantity, line.quantity) };
		else all.push(line);
	}
	return all;
}

/** Splits an amount by weights into whole parts whose sum is the amount: the largest remainders are rounded up. */
function spread(amount: number, weights: readonly number[]): number[] {
	const whole = weights.reduce((sum, one) => sum + one, 0) || 1;
	const exact = weights.map((weight) => (amount * weight) / whole);
	const parts = exact.map(Math.floor);
	const rest = amount - parts.reduce((sum, one) => sum + one, 0);
	const byRemainder = exact
		.map((one, i) => ({ i, remainder: one - (parts[i] ?? 0) }))
		.sort((a, b) => b.remainder - a.remainder);
	for (const { i } of byRemainder.slice(0, rest))
		parts[i] = (parts[i] ?? 0) + 1;
	return parts;
}

/** Prices a line so that it costs a total in the currency's smallest parts. Whole pieces whose price isn't exact become two lines. */
function atTotal(line: CartLine, total: number, one: number): CartLine[] {
	const { quantity } = line;
	if (!Number.isInteger(quantity))
		return [{ ...line, price: plus(total / one / quantity, 0) }];
	const price = Math.floor(total / quantity);
	const dearer = total - price * quantity;
	const cheaper = quantity - dearer;
	return [
		{ ...line, quantity: cheaper, price: price / one },
		{ ...line, quantity: dearer, price: (price + 1) / one },
	].filter((part) => part.quantity > 0);
}

/** Two lines made of one need an id each. */
function withOwnIds(lines: readonly CartLine[]): CartLine[] {
	const used = new Set<string>();
	let last = Math.max(0, ...lines.map(({ id }) => Number(id)));
	return lines.map((line) => {
		if (used.has(line.id)) {
			last += 1;
			return { ...line, id: String(last) };
		}
		used.add(line.id);
		return line;
	});
}

const listTotal = ({ listPrice, quantity }: CartLine) =>
	lineTotal({ price: listPrice, quantity });

/** How much less than its list price a line costs. */
export function savedOn(line: CartLine): number {
	return toDecimal(
		Math.max(0, toMicros(listTotal(line)) - toMicros(lineTotal(line))),
	);
}

/** How much less than their list prices a cart's lines cost. */
export function savedOf({ lines }: Cart): number {
	return lines.reduce((sum, line) => plus(sum, savedOn(line)), 0);
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

function nextLineId({ lines }: Cart): string {
	return String(Math.max(0, ...lines.map(({ id }) => Number(id))) + 1);
}

/** Puts removed lines back at the top of the cart, where they were last seen. */
export function putBack(cart: Cart, lines: readonly CartLine[]): Cart {
	const all = [...lines, ...cart.lines];
	const { removed, ...rest } = cart;
	const left = removed?.filter((line) => !lines.includes(line)) ?? [];
	return {
		...rest,
		...(left.length > 0 && { removed: left }),
		lines: all.map((line, i) => ({ ...line, id: String(i + 1) })),
	};
}
