import type * as z from "zod";
import { saleCreate } from "../entities/sale.ts";
import type { PickedTill } from "./pick-till.ts";
import type { Random } from "./random.ts";
import { canaryOf, type KnownSale } from "./witness.ts";
import type { SimulatedTill, World } from "./world.ts";

export const productIds = ["milk", "bread", "late"];

/**
 * Random lines with quantities in eighths, which are exact as doubles. Discounts and packs follow from the drawn values: a
 * further draw would change every script that once found a bug.
 */
export function basket(random: Random, businessId: string): Line[] {
	const count = 1 + random.below(3);
	return Array.from({ length: count }, (_, i) => {
		const productId = random.pick([...productIds, null, "nothing"]);
		const line = {
			id: String(i + 1),
			name: `${productId ?? "Loose"} ${canaryOf(businessId)}`,
			quantity: (1 + random.below(40)) / 8,
			price: random.below(200),
			cost: random.below(100),
			productId,
		};
		return {
			...line,
			...(line.price % 4 === 0 && { listPrice: line.price + line.cost }),
			...(productId !== null && packOf(line)),
		};
	});
}

/** A line, in wire form. */
export interface Line extends Packed {
	id: string;
	name: string;
	quantity: number;
	price: number;
	cost: number;
	productId: string | null;
	listPrice?: number;
}
interface Packed {
	unit?: string;
	packId?: string;
	packName?: string;
	packSize?: number;
}

/** The unit of a third of all lines and the pack of a fifth. No shop may have them, as if they had been changed since. */
function packOf({ price, cost, name }: Line): Packed {
	const unit = price % 3 === 0 ? { unit: "kg" } : {};
	if (cost % 5 !== 0) return unit;
	const packSize = 2 + (price % 5);
	return {
		...{ ...unit, packId: `pack ${packSize}` },
		...{ packName: `Pack of ${name}`, packSize },
	};
}

/** A sale's content, in the form of the database's rows. */
export function contentOf(items: readonly Line[], rounding?: number): string {
	const lines = items.map(
		({ name, quantity, price, cost, productId, listPrice, ...line }) =>
			[
				...[name, quantity * 1e6, price * 1e6, cost * 1e6, productId ?? ""],
				listPrice === undefined ? "" : listPrice * 1e6,
				...(line.packSize === undefined
					? []
					: [line.packId, line.packName, line.packSize * 1e6]),
				...(line.unit === undefined ? [] : [line.unit]),
			].join("|"),
	);
	const total = items.reduce(
		(sum, line) => sum + line.price * line.quantity,
		0,
	);
	return [total * 1e6, rounding ? rounding * 1e6 : "", ...lines].join("; ");
}

/** Saves the business day that the till gave to a sale, which must never change. */
export async function rememberDay(
	{ attempt }: World,
	{ machine, businessId }: SimulatedTill,
	known: KnownSale,
): Promise<void> {
	await attempt(async () => {
		const [sold] = await machine.store.read((tx) =>
			tx.all(
				"SELECT business_day FROM sales WHERE business_id = ? AND id = ?",
				businessId,
				known.id,
			),
		);
		if (sold) known.businessDay = sold.business_day as string;
	});
}

/** Sells on a till. The witness knows the sale from before until the till has acknowledged it. */
export async function sellKnown(
	world: World,
	till: PickedTill,
	args: z.input<typeof saleCreate.args> & { items: Line[] },
): Promise<void> {
	const { businessId, caller, machine, replica } = till;
	const known = world.witness.begins({
		...{ businessId, id: args.id, madeOn: till.name, by: caller.userId },
		madeAt: world.schedule.now(),
		content: contentOf(args.items),
	});
	const { life } = machine;
	const error = await world.attempt(() =>
		replica.mutate(caller, saleCreate, args),
	);
	if (machine.life !== life || !machine.isUp) return;
	if (!error) {
		world.witness.acknowledge(known, world.schedule.now());
		await rememberDay(world, till, known);
	} else if (!error.code.startsWith("storage_"))
		world.witness.fail("a sale was refused", `${args.id}: ${error.code}`);
}
