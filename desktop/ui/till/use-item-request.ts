import { type RefObject, useCallback } from "react";
import { v7 as newId } from "uuid";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { FoundProduct } from "../scanner/product-search.ts";
import { useShop } from "../session.tsx";
import { createOnce } from "../shop/create-once.ts";
import { useAddedTax } from "../taxes/use-taxes.ts";
import {
	addOpenItem,
	addProduct,
	type Cart,
	type CartLine,
	priceIn,
	priceTyped,
	repackLine,
} from "./cart.ts";
import type { ItemAnswer, ItemRequest } from "./item-sheet.tsx";
import { packsOf } from "./pack-choice.tsx";
import { useLatestState } from "./use-latest-state.ts";

/** What is asked about: an item that lacks a price or a name, or which of the products with one code is meant. */
export type Wanted = ItemRequest | { which: FoundProduct };

/** A retry keeps an item under the same id, so that a lost response never makes two products. */
const idByWanted = new WeakMap<Wanted, string>();

/** Puts products and other items into the cart, and asks for what they lack: a price, or a name. */
export function useItemRequest({
	cart,
	change,
	paying,
	onPick,
	onSold,
}: {
	cart: Readonly<RefObject<Cart>>;
	change(changed: (cart: Cart) => Cart): void;
	/** Set while a sale is being recorded: products picked meanwhile go into the next one. */
	paying: Readonly<RefObject<Promise<void> | undefined>>;
	/** The same function at each render. */
	onPick(): void;
	/** Called after an item that was asked about has been sold. */
	onSold(): void;
}) {
	const { shop } = useShop();
	const addTax = useAddedTax();
	const [wanted, setWanted, latestWanted] = useLatestState<Wanted | undefined>(
		undefined,
	);

	const pick = useCallback(
		async (
			product: Product,
			{ label = null, packIds = {} }: Partial<FoundProduct> = {},
		): Promise<void> => {
			await paying.current;
			onPick();
			// A label's weight is in the product's unit.
			const pack = label ? undefined : packOf(product, packIds[product.id]);
			const price = priceIn(product, pack);
			const hasNoPrice = price === null;
			const sellingPrice =
				price === null
					? priceTyped(cart.current, product.id, pack)
					: await addTax(price, product);
			if (label?.holds === "price" && !sellingPrice) {
				// The label is the price of what it is on.
				const priced = { ...product, sellingPrice: label.value, hasNoPrice };
				change((now) => addProduct(now, priced));
			} else if (sellingPrice === undefined)
				setWanted({ product, pack, quantity: label?.value });
			else
				change((now) =>
					addProduct(
						now,
						{ ...product, pack, sellingPrice, hasNoPrice },
						quantityOf(label, sellingPrice),
					),
				);
		},
		[change, cart, paying, onPick, setWanted, addTax],
	);

	/** Picks what a code found, or asks which of several is meant. */
	const pickFound = useCallback(
		async (found: FoundProduct) => {
			if (found.others.length > 0) setWanted({ which: found });
			else await pick(found.product, found);
		},
		[pick, setWanted],
	);

	async function pickWhich(product: Product): Promise<void> {
		if (!wanted || !("which" in wanted)) return;
		setWanted(undefined);
		await pick(product, wanted.which);
	}

	/** Sells a line in another pack, or in its product's own unit. */
	const repack = useCallback(
		async (
			line: CartLine,
			product: Product,
			pack: ProductPack | undefined,
		): Promise<void> => {
			const price = priceIn(product, pack);
			const hasNoPrice = price === null;
			const sellingPrice = await addTax(price ?? 0, product);
			const sold = { ...product, pack, sellingPrice, hasNoPrice };
			change((now) => repackLine(now, line.id, sold));
		},
		[change, addTax],
	);

	const sellTyped = useCallback(
		(typed: string) =>
			setWanted(/^\d{6,}$/.test(typed) ? { code: typed } : { name: typed }),
		[setWanted],
	);

	/** Sells the item that the sheet asked about. */
	async function sellRequested({
		name,
		price,
		isKept,
	}: ItemAnswer): Promise<void> {
		if (wanted === undefined || "which" in wanted) return;
		const priced = { name, sellingPrice: price };
		if ("product" in wanted) {
			const { product, pack, quantity } = wanted;
			if (isKept)
				await shop.mutate(pack ? "pack.update" : "product.update", {
					id: (pack ?? product).id,
					set: { sellingPrice: price },
				});
			const sellingPrice = await addTax(price, product);
			change((now) =>
				addProduct(
					now,
					{ ...product, pack, name, sellingPrice, hasNoPrice: !isKept },
					quantity,
				),
			);
		} else if (isKept) {
			const id = idByWanted.get(wanted) ?? newId();
			idByWanted.set(wanted, id);
			const made = { id, buyingPrice: null, ...priced };
			const { code } = wanted;
			await createOnce(shop, "product", {
				...made,
				...(code !== undefined && { sku: code }),
			});
			const sellingPrice = await addTax(price);
			change((now) =>
				addProduct(now, { ...made, sellingPrice, isService: false }),
			);
		} else {
			const charged = await addTax(price);
			change((now) => addOpenItem(now, name, charged));
		}
		setWanted(undefined);
		onSold();
	}

	return {
		...{ wanted, setWanted, latestWanted, pick, pickFound, pickWhich },
		...{ repack, sellTyped, sellRequested },
	};
}

/** The pack whose code was scanned; of a product that is sold in packs only, the first. */
function packOf(
	product: Product,
	packId: string | undefined,
): ProductPack | undefined {
	const packs = packsOf(product);
	const scanned = packs.find(({ id }) => id === packId);
	if (scanned || product.sellingPrice !== null) return scanned;
	return packs.find(({ sellingPrice }) => sellingPrice !== null);
}

/** How much a scale's label says, in the product's unit; 1 without a label. */
function quantityOf(label: FoundProduct["label"], price: number): number {
	if (!label) return 1;
	if (label.holds === "weight") return label.value;
	return toDecimal(Math.round(toMicros(label.value) / price));
}
