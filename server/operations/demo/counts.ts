import {
	countClose,
	countEnter,
	countLookAt,
	countOpen,
} from "../../../sync/entities/count.ts";
import { plus } from "../../../sync/entities/money.ts";
import { newId } from "../../../sync/protocol/ids.ts";
import type { Caller, Shop } from "../../../sync/shop.ts";

interface Shelf {
	name: string;
	/** What was found of each product more than the book says; null for one that was only looked at. */
	found: readonly (number | null)[];
	isClosed: boolean;
}

const shelves: readonly Shelf[] = [
	{ name: "Shelf by the door", found: [0, -2, 0, 0, 1, -1], isClosed: true },
	{ name: "Fridge", found: [0, -1, null], isClosed: false },
];

/**
 * Counts two shelves: one count is closed, the other goes on.
 *
 * @param pass lets time pass between the two, as the newest stands first in their list
 */
export async function countShelves(
	shop: Shop,
	owner: Caller,
	{ goods, pass }: { goods: readonly { id: string }[]; pass(): void },
): Promise<void> {
	let next = 0;
	for (const { name, found, isClosed } of shelves) {
		pass();
		const id = newId(shop.env);
		await shop.mutate(owner, countOpen, { id, name });
		for (const difference of found) {
			const productId = goods[next]?.id;
			next += 1;
			if (productId === undefined) continue;
			const lookId = newId(shop.env);
			const { args } = await shop.mutate(owner, countLookAt, {
				...{ id: lookId, countId: id, productId },
			});
			if (difference === null) continue;
			const counted = Math.max(0, plus(args.seen?.expected ?? 0, difference));
			await shop.mutate(owner, countEnter, { id: lookId, counted });
		}
		if (isClosed) await shop.mutate(owner, countClose, { id });
	}
}
