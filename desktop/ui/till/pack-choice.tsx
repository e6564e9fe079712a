import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import type { Product } from "../../../sync/entities/product.ts";
import { packText } from "../../../sync/receipts/pack-text.ts";
import { Chips } from "../components/chips.tsx";
import { useFormat } from "../format.ts";
import { useUnitName } from "../products/units.ts";
import { useWords } from "../words/index.ts";
import type { CartLine } from "./cart.ts";

/** What a line can be sold in instead, beside its product's own unit. */
export function packsOf(product: Product | undefined): readonly ProductPack[] {
	return product?.packs?.filter(({ isActive }) => isActive) ?? [];
}

/** The pack after that of a line; undefined is the product's own unit. */
export function packAfter(
	{ packId }: CartLine,
	packs: readonly ProductPack[],
): ProductPack | undefined {
	return packs[packs.findIndex(({ id }) => id === packId) + 1];
}

/** Chooses the unit or pack that a line is sold in. Nothing for a product without packs. */
export function PackChoice({
	line,
	product,
	onPack,
}: {
	line: CartLine;
	product: Product;
	onPack(pack: ProductPack | undefined): void;
}) {
	const { say } = useWords();
	const format = useFormat();
	const unitName = useUnitName();
	const packs = packsOf(product);
	if (packs.length === 0 && line.packId === undefined) return null;
	return (
		<Chips
			label={`${say("till.soldIn")}: ${line.name}`}
			value={line.packId ?? null}
			onChange={(id) => onPack(packs.find((one) => one.id === id))}
			choices={[
				{ value: null, label: unitName(product.unit) },
				...packs.map(({ id, name, size }) => ({
					value: id,
					label: packText(
						{ packName: name, packSize: size, unit: product.unit },
						format.quantity,
					),
				})),
			]}
		/>
	);
}
