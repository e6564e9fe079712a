import * as z from "zod";
import { packRow } from "../../sync/entities/pack-row.ts";
import { saleItemArgs, saleItemRow } from "../../sync/entities/sale-item.ts";
import { linesMax } from "../../sync/entities/sale-limits.ts";
import { ShopError } from "../../sync/protocol/errors.ts";
import { packGet } from "../../sync/queries/pack.ts";
import { productSome } from "../../sync/queries/product-search.ts";
import type { Caller, Shop } from "../../sync/shop.ts";
import { onWire, orAbsent, requirement } from "../http/input.ts";

const { name, quantity, price, cost, productId } = saleItemArgs.shape;
const itemsRequired = requirement("items array required");

/** The lines of a sale, or of what is promised. */
export const itemsBody = z
	.array(
		z.object({
			name,
			quantity: onWire(quantity),
			price: onWire(price),
			cost: onWire(cost),
			// A value that can't be an id counts as no productId.
			productId: productId.catch(null),
			isService: z.preprocess(Boolean, z.boolean()).optional(),
			listPrice: orAbsent(saleItemRow.shape.listPrice.unwrap()),
			packId: orAbsent(packRow.shape.id).describe(
				"A pack of the product: quantity, price and cost are then of packs",
			),
		}),
		itemsRequired,
	)
	.min(1, itemsRequired)
	.max(linesMax, `${linesMax} at most`);

/** Gives sold lines what they fix: their ids, packs, and the units that their products have now. */
export async function asSold(
	...given: Parameters<typeof inPacks>
): Promise<z.input<typeof saleItemArgs>[]> {
	const [shop, caller] = given;
	const lines = await inPacks(...given);
	const ids = lines.flatMap(({ productId }) => productId ?? []);
	const { products } = await shop.ask(caller, productSome, { ids });
	const units = new Map(products.map(({ id, unit }) => [id, unit]));
	return lines.map((line) => {
		const unit = units.get(line.productId ?? "");
		return unit ? { ...line, unit } : line;
	});
}

/**
 * Gives lines their ids, and the name and size that their packs have now.
 *
 * @param idOf returns the id of the line at a place
 */
export async function inPacks(
	shop: Pick<Shop, "ask">,
	caller: Caller,
	items: z.output<typeof itemsBody>,
	idOf: (place: number) => string,
) {
	const lines: z.input<typeof saleItemArgs>[] = [];
	for (const [i, { packId, ...item }] of items.entries()) {
		const line = { ...item, id: idOf(i) };
		const pack = packId && (await shop.ask(caller, packGet, { id: packId }));
		if (pack && pack.productId !== item.productId)
			throw new ShopError(
				"invalid_args",
				`items.${i}.packId: Must be a pack of the line's product`,
				`items.${i}.packId`,
			);
		const { name: packName, size: packSize } = pack || {};
		lines.push(pack ? { ...line, packId, packName, packSize } : line);
	}
	return lines;
}
