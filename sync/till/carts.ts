import { ShopError } from "../protocol/errors.ts";
import type { Connection, DbRow, Store } from "../store/store.ts";
import { type Cart, cart } from "./cart.ts";

/**
 * The carts that a till stores. Each window has one under the window's id; held carts have their own ids, and any
 * window may resume them.
 */
export interface Carts {
	read(id: string): Promise<Cart | undefined>;
	/**
	 * Stores a window's cart, or removes it if `kept` is null.
	 *
	 * @param wasKept whether the window had stored one; if that is gone, another window has taken it over
	 * @returns false, with nothing stored, if another window has taken it over
	 */
	keep(id: string, kept: Cart | null, wasKept: boolean): Promise<boolean>;
	/** The ids of the windows that have a cart. */
	owners(): Promise<string[]>;
	/**
	 * Moves the cart of a window that is gone to this one.
	 *
	 * @returns undefined if that window has none
	 */
	takeOver(id: string, from: string): Promise<Cart | undefined>;
	held(): Promise<Cart[]>;
	/** The carts of all windows, and the held ones. */
	all(): Promise<Cart[]>;
	/** Stores carts that were read from another place. */
	putAll(carts: readonly Cart[]): Promise<void>;
	/** Holds a window's cart under the id of `held`. Does nothing if another window has taken the cart over. */
	hold(id: string, held: Cart): Promise<void>;
	/**
	 * Makes a held cart the window's cart, and holds the window's own.
	 *
	 * @returns undefined if it is no longer held
	 */
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

	/** Gives a cart another id and no longer holds it. */
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
 * Removes a cart in the transaction of its sale.
 *
 * @throws ShopError `cart_taken` if another window sells or has sold it
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
