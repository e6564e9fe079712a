import { v7 as newId } from "uuid";
import { amountMax } from "../../../sync/entities/money.ts";
import type { InboxGroup } from "../../../sync/queries/inbox-groups.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import type { ShopClient } from "../shop/client.ts";

type GroupArgs = Queries["inbox.items"]["args"];
/** The reasons that have a word in every language; a person may type another one. */
export const knownReasons = ["right", "corrected", "counted"] as const;
type KnownReason = (typeof knownReasons)[number];
/** Takes back what was done. */
export type Undo = () => Promise<void>;

const keyOf = ({ cause, productId, saleId, shiftId }: InboxGroup) => ({
	...{ cause, productId, saleId, shiftId },
});

/** Dismisses all items of a group, also of one larger than a mutation may be. */
export async function dismissGroup(
	shop: ShopClient,
	group: InboxGroup,
	reason: string,
): Promise<Undo> {
	const { cause, productId } = group;
	const dismissed: string[][] = [];
	await forItems(shop, keyOf(group), async (ids) => {
		const seen = { cause, productId };
		await shop.mutate("inbox.dismiss", { ids, reason, seen });
		dismissed.push(ids);
	});
	return async () => {
		for (const ids of dismissed) await shop.mutate("inbox.reopen", { ids });
	};
}

/** Puts back what was dismissed at one moment. */
export function reopenGroup(
	shop: ShopClient,
	group: Queries["inbox.dismissed"]["answer"]["rows"][number],
): Promise<void> {
	const { dismissedAt } = group;
	return forItems(shop, { ...keyOf(group), dismissedAt }, async (ids) => {
		await shop.mutate("inbox.reopen", { ids });
	});
}

/** Reads a group's items until none is left. An item that another till decides in between comes only once. */
async function forItems(
	shop: ShopClient,
	group: GroupArgs,
	work: (ids: string[]) => Promise<void>,
): Promise<void> {
	const done = new Set<string>();
	for (;;) {
		const { ids } = await shop.ask("inbox.items", group);
		const left = ids.filter((id) => !done.has(id));
		if (left.length === 0) return;
		await work(left);
		for (const id of left) done.add(id);
	}
}

/** Sets a product's stock to what a person counted, and dismisses the group. */
export async function setCount(
	shop: ShopClient,
	group: InboxGroup,
	counted: number,
): Promise<Undo> {
	const { productId, product } = group;
	if (productId === null || product === null)
		throw new Error("Only a product can be counted");
	const moveTo = async (to: number, from: number) => {
		// Doubles would add a difference in the seventeenth digit.
		const delta = Number((to - from).toFixed(6));
		if (Math.abs(delta) > amountMax)
			await shop.mutate("product.update", {
				...{ id: productId, set: { quantity: to }, seenQuantity: from },
			});
		else if (delta !== 0)
			await shop.mutate("stock.adjust", {
				...{ id: newId(), productId, delta, reason: "count" },
			});
	};
	const seen = product.quantity;
	await moveTo(counted, seen);
	const reopen = await dismissGroup(
		shop,
		group,
		"counted" satisfies KnownReason,
	);
	return async () => {
		await moveTo(seen, counted);
		await reopen();
	};
}

/** Puts a product on sale that the shop stopped selling, or that it sold without having it, and dismisses the group. */
export async function putOnSale(
	shop: ShopClient,
	group: InboxGroup,
): Promise<Undo> {
	const { productId: id, product, soldAs, soldAt } = group;
	if (id === null) throw new Error("Only a product can be put on sale");
	if (product)
		await shop.mutate("product.update", { id, set: { isActive: true } });
	else
		await shop.mutate("product.create", {
			...{ id, name: soldAs?.trim() || id, sellingPrice: soldAt },
			buyingPrice: null,
		});
	const reopen = await dismissGroup(
		shop,
		group,
		"corrected" satisfies KnownReason,
	);
	return async () => {
		await shop.mutate("product.delete", { id });
		await reopen();
	};
}
