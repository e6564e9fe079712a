import { packCreate } from "../../../sync/entities/pack.ts";
import { productUpdate } from "../../../sync/entities/product.ts";
import { newId } from "../../../sync/protocol/ids.ts";
import type { Caller, MutationInput, Shop } from "../../../sync/shop.ts";
import { openDice } from "./dice.ts";

/** Goods that neighbours with a kiosk buy by the pack, for a little less. */
const packs: Record<string, { name: string; size: number; price: number }> = {
	"Eggs (each)": { name: "Tray", size: 30, price: 480 },
	"Soda 500 ml": { name: "Carton", size: 24, price: 1_500 },
};

/** A pack of a product, as a line of a sale names it. */
export interface DemoPack {
	line: { packId: string; packName: string; packSize: number };
	price: number;
}

/** What a product is counted in: by weight or by the piece. */
export const unitOf = (name: string): "kg" | undefined =>
	name.endsWith("(kg)") ? "kg" : undefined;

/** Gives products their packs, and those sold by weight their unit. @returns the packs by their products' ids */
export async function addPacks(
	shop: Shop,
	caller: Caller,
	products: readonly { id: string; name: string }[],
): Promise<Map<string, DemoPack>> {
	const made = new Map<string, DemoPack>();
	const mutations: MutationInput[] = [];
	for (const { id: productId, name } of products) {
		const unit = unitOf(name);
		if (unit)
			mutations.push({
				mutation: productUpdate,
				args: { id: productId, set: { unit } },
			});
		const pack = packs[name];
		if (!pack) continue;
		const packId = newId(shop.env);
		const { price, size, name: packName } = pack;
		mutations.push({
			mutation: packCreate,
			args: {
				...{ id: packId, productId, name: packName },
				...{ size, sellingPrice: price },
			},
		});
		made.set(productId, { line: { packId, packName, packSize: size }, price });
	}
	await shop.mutateAll(caller, async () => mutations);
	return made;
}

/** Decides which sales of a product are of its pack. Separate draws leave the other sales as they are. */
export function openPackBuyers() {
	const dice = openDice(19);
	return (pack: DemoPack | undefined): DemoPack | undefined =>
		pack && dice.below(15) === 0 ? pack : undefined;
}
