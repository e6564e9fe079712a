import { ShopError } from "../protocol/errors.ts";
import type { Context, Entity, RowOf } from "./entity.ts";
import { positiveAmount, recordId } from "./fields.ts";
import { amountMax, toMicros, unitMicros } from "./money.ts";
import { isExact, pack, packRow, unitsOf } from "./pack-row.ts";
import { product } from "./product.ts";
import { withTaxAdded } from "./tax-amount.ts";

/** The pack that a line was sold in, which its quantity and price are of. Absent for the product's own unit. */
export const linePack = {
	packId: recordId.optional(),
	packName: packRow.shape.name.optional(),
	/** How many of the product's units it held, whatever it holds later. */
	packSize: positiveAmount.optional(),
};

interface Line {
	productId: string | null;
	quantity: number;
	price: number;
	packId?: string | undefined;
	packName?: string | undefined;
	packSize?: number | undefined;
}

/** Returns true if a line names a whole pack or none, and not more than can be counted. */
export function hasWholePack(line: Omit<Line, "price">): boolean {
	const { productId, quantity, packId, packName, packSize } = line;
	if (packSize === undefined)
		return packId === undefined && packName === undefined;
	if (packId === undefined || packName === undefined) return false;
	return (
		productId !== null &&
		(quantity / unitMicros) * packSize <= amountMax * unitMicros
	);
}

/** @throws ShopError if a line, in wire form, is not a whole number of millionths of its product's unit */
export function assertExact(
	lines: readonly { quantity: number; packSize?: number | undefined }[],
): void {
	for (const [i, { quantity, packSize }] of lines.entries())
		if (
			packSize !== undefined &&
			!isExact({ quantity: toMicros(quantity), packSize: toMicros(packSize) })
		)
			throw new ShopError(
				"invalid_args",
				`items.${i}.quantity: ${quantity} packs of ${packSize} can't be counted to a millionth`,
				`items.${i}.quantity`,
			);
}

/** What a line should cost. */
interface Price {
	/** Null if there is none. */
	now: number | null;
	/** True if the line's was right until a short time before. */
	isOld: boolean;
	/** True if the pack has a price, so that the product's says nothing about it. */
	isPacks: boolean;
}

/**
 * Returns the price that a line should have, by its product or its pack.
 *
 * @param addedRate of the tax that the shop adds to its prices
 */
export async function priceOf(
	context: Context,
	line: Line,
	sold: RowOf<typeof product>,
	addedRate: number | undefined,
): Promise<Price> {
	const charged = (price: number | null) =>
		price === null || addedRate === undefined
			? price
			: withTaxAdded(price, addedRate);
	const { price, packId, packSize } = line;
	const packed = packId === undefined ? undefined : await packOf(context, line);
	const then = packed && (await priceAtSize(context, line, packed));
	if (then !== undefined) {
		const now = charged(then);
		return { now, isPacks: true, isOld: price === now };
	}
	const own = packed?.sellingPrice ?? null;
	const inPack = (price: number | null) =>
		price === null ? null : unitsOf({ quantity: price, packSize });
	const now = charged(own ?? inPack(sold.sellingPrice));
	const isPacks = own !== null;
	if (price === now) return { now, isPacks, isOld: false };
	const before = packed ? await readBefore(context, pack, packed.id) : [];
	if (before.some((one) => charged(one) === price))
		return { now, isPacks: true, isOld: true };
	if (isPacks && !before.includes(null)) return { now, isPacks, isOld: false };
	const ofUnit = await readBefore(context, product, sold.id);
	const isOld = [sold.sellingPrice, ...ofUnit].some(
		(one) => charged(inPack(one)) === price,
	);
	return { now, isPacks, isOld };
}

/** Reads the price before the last edit, if there was one. */
async function readBefore(
	context: Context,
	entity: Entity,
	id: string,
): Promise<(number | null)[]> {
	const edit = await context.lastEdit(entity, id, "sellingPrice");
	return edit && edit.at < context.at ? [edit.was as number | null] : [];
}

/** Returns what a pack cost when it had a line's size, if both were changed since. */
async function priceAtSize(
	context: Context,
	{ packSize }: Line,
	{ id, size }: RowOf<typeof pack>,
): Promise<number | undefined> {
	if (size === packSize) return undefined;
	const sized = await context.lastEdit(pack, id, "size");
	const priced = await context.lastEdit(pack, id, "sellingPrice");
	if (!sized || !priced || priced.at < sized.at) return undefined;
	return (priced.was as number | null) ?? undefined;
}

/** Returns a line's pack if it still is what the line says, or was until its last edit. */
async function packOf(
	context: Context,
	{ packId = "", productId, packSize }: Line,
): Promise<RowOf<typeof pack> | undefined> {
	const found = await context.find(pack, packId);
	if (found?.productId !== productId) return undefined;
	if (found?.size === packSize) return found;
	const edit = await context.lastEdit(pack, packId, "size");
	return edit?.was === packSize ? found : undefined;
}
