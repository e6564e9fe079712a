import { ShopError } from "../protocol/errors.ts";
import type { Connection, DbRow, Store } from "../store/store.ts";
import { type Cart, cart } from "./cart.ts";

/**
 * The sales in the making that a till keeps: each of its windows has its own, under its own id, and the held ones are
 * everybody's. Whoever takes one over keeps it under another id.
 */
export interface Carts {
	read(id: string): Promise<Cart | undefined>;
	/**
	 * Keeps a window's cart as it is now; none where nothing is in it.
	 *
	 * @param wasKept whether the window had one: where that is gone, another window has taken it over
	 * @returns false then, with nothing kept
	 */
	keep(id: string, kept: Cart | null, wasKept: boolean): Promise<boolean>;
	/** The windows that have one. */
	owners(): Promise<string[]>;
	/** Takes over what a window that is gone had. @returns undefined where it had nothing, or has it no more */
	takeOver(id: string, from: string): Promise<Cart | undefined>;
	held(): Promise<Cart[]>;
	/** Of all windows, and the held ones. */
	all(): Promise<Cart[]>;
	/** As they were kept elsewhere. */
	putAll(carts: readonly Cart[]): Promise<void>;
	/** Puts a window's cart aside, under an id of its own; nothing where another window has taken it over. */
	hold(id: string, held: Cart): Promise<void>;
	/** Takes a held one up again, and puts the one in its place aside. @returns undefined where it is held no longer */
	resume(id: string, heldId: string, inPlace: Cart): Promise<Cart | undefined>;
}

export function openCarts(store: Store, businessId: string): Carts {
	const select = (tx: Connection, id: string) =>
		tx.get(
			"SELECT content FROM carts WHERE business_id = ? AND id = ?",
			businessId,
			id,
		);
	const remove = (tx: Connection, id: string) =>
		tx.run(
			"DELETE FROM carts WHERE business_id = ? AND id = ?",
			businessId,
			id,
		);
	const put = (tx: Connection, it: Cart) =>
		tx.run(
			`INSERT INTO carts (business_id, id, content, held_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (business_id, id) DO UPDATE SET content = excluded.content, held_at = excluded.held_at`,
			businessId,
			it.id,
			JSON.stringify(it),
			it.heldAt ?? null,
		);

	/** Under another id, and held no longer. */
	async function move(
		tx: Connection,
		from: string,
		id: string,
	): Promise<Cart | undefined> {
		const row = await select(tx, from);
		if (!row) return undefined;
		const { heldAt, ...rest } = toCart(row);
		const taken = { ...rest, id };
		await remove(tx, from);
		await put(tx, taken);
		return taken;
	}

	return {
		read: (id) =>
			store.read(async (tx) => {
				const row = await select(tx, id);
				return row && toCart(row);
			}),
		keep: (id, kept, wasKept) =>
			store.write(async (tx) => {
				if (wasKept && !(await select(tx, id))) return false;
				if (kept) await put(tx, { ...kept, id });
				else await remove(tx, id);
				return true;
			}),
		owners: () =>
			store.read(async (tx) => {
				const rows = await tx.all(
					"SELECT id FROM carts WHERE business_id = ? AND held_at IS NULL ORDER BY id",
					businessId,
				);
				return rows.map(({ id }) => id as string);
			}),
		takeOver: (id, from) => store.write((tx) => move(tx, from, id)),
		held: () =>
			store.read(async (tx) => {
				const rows = await tx.all(
					"SELECT content FROM carts WHERE business_id = ? AND held_at IS NOT NULL ORDER BY held_at, id",
					businessId,
				);
				return rows.map(toCart);
			}),
		all: () =>
			store.read(async (tx) => {
				const rows = await tx.all(
					"SELECT content FROM carts WHERE business_id = ? ORDER BY id",
					businessId,
				);
				return rows.map(toCart);
			}),
		putAll: async (carts) => {
			if (carts.length === 0) return;
			await store.write(async (tx) => {
				for (const cart of carts) await put(tx, cart);
			});
		},
		hold: (id, held) =>
			store.write(async (tx) => {
				if ((await remove(tx, id)) > 0) await put(tx, held);
			}),
		resume: (id, heldId, inPlace) =>
			store.write(async (tx) => {
				const resumed = await move(tx, heldId, id);
				if (resumed && inPlace.lines.length > 0) await put(tx, inPlace);
				return resumed;
			}),
	};
}

/**
 * A sale and its cart leave in one transaction.
 *
 * @throws ShopError `cart_taken` where another window sells it, or has sold it
 */
export async function takeOut(
	tx: Connection,
	businessId: string,
	id: string,
): Promise<void> {
	const removed = await tx.run(
		"DELETE FROM carts WHERE business_id = ? AND id = ? AND held_at IS NULL",
		businessId,
		id,
	);
	if (removed === 0)
		throw new ShopError(
			"cart_taken",
			"Another window has taken over this cart",
		);
}

const toCart = ({ content }: DbRow): Cart =>
	cart.parse(JSON.parse(content as string));
