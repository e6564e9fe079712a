import { packCreate, packUpdate } from "../../../sync/entities/pack.ts";
import type { ProductPack } from "../../../sync/entities/pack-row.ts";
import { type Env, newId } from "../../../sync/protocol/ids.ts";
import type { MutationInput } from "../../../sync/shop.ts";
import type { FilePack } from "../pack-cell.ts";
import { checked } from "./checked-mutation.ts";
import { trimmed } from "./matching.ts";

/** A line's pack with its id, and the mutations that make the stored one like it. */
interface PlannedPack extends FilePack {
	id: string;
	made: MutationInput[];
}

/**
 * Plans a line's packs. One is matched by its name and size, otherwise by its name; other packs of the product stay.
 *
 * @throws LineError
 */
export function planPacks(
	env: Env,
	productId: string,
	packs: readonly FilePack[],
	stored: readonly ProductPack[],
): PlannedPack[] {
	const left = [...stored];
	function take(isMeant: (pack: ProductPack) => boolean) {
		const at = left.findIndex(isMeant);
		return at < 0 ? undefined : left.splice(at, 1)[0];
	}
	const exact = packs.map(({ name, size }) =>
		take((one) => trimmed(one.name) === name && one.size === size),
	);
	return packs.map((pack, i) => {
		const before = exact[i] ?? take((one) => trimmed(one.name) === pack.name);
		const id = before?.id ?? newId(env);
		return { ...pack, id, made: madeFor(pack, { id, productId, before }) };
	});
}

function madeFor(
	{ name, size, sellingPrice, isActive }: FilePack,
	{
		id,
		productId,
		before,
	}: { id: string; productId: string; before: ProductPack | undefined },
): MutationInput[] {
	const price = sellingPrice === undefined ? {} : { sellingPrice };
	const update = (set: object) =>
		checked({ mutation: packUpdate, args: { id, set } });
	if (!before) {
		const args = { id, productId, name, size, ...price };
		const made = [checked({ mutation: packCreate, args })];
		return isActive === false ? [...made, update({ isActive })] : made;
	}
	const given = { size, ...price, isActive: isActive ?? before.isActive };
	const set = Object.fromEntries(
		Object.entries(given).filter(
			([field, value]) => before[field as keyof typeof given] !== value,
		),
	);
	return Object.keys(set).length === 0 ? [] : [update(set)];
}
