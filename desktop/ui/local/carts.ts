import { v7 as newId } from "uuid";
import { type Cart, emptyCart } from "../till/cart.ts";
import type { LocalDatabase } from "./database.ts";

/** How long other windows have to say which sales are theirs. */
const answerMs = 250;

/** Asks whose the sales are, answers it, or says that the held ones are others now. */
type Message = "whose" | "held" | { mine: string };

/**
 * The sales in the making that this browser keeps: each window has its own, which a reload of it keeps, and the held ones
 * are everybody's. Whose one is, its key says: whoever takes one over keeps it under another.
 */
export interface Carts {
	/** Under which this window keeps its sale. */
	readonly id: string;
	/** The sale of this window: what it had before it was reloaded, or what one had that is gone. */
	read(): Promise<Cart>;
	/** @returns false where another window has taken it over, as of one that slept */
	keep(cart: Cart): Promise<boolean>;
	held(): Promise<Cart[]>;
	hold(cart: Cart): Promise<void>;
	/** Takes a held sale up again, and holds the one in its place. @returns undefined where it is held no longer */
	resume(id: string, inPlace: Cart): Promise<Cart | undefined>;
	/** After its sale was made, and with that removed. */
	letGo(): void;
	onHeld(listener: () => void): () => void;
	close(): void;
}

export function openCarts(database: LocalDatabase, businessId: string): Carts {
	const id = newId();
	const name = `counterfoil-carts-${businessId}`;
	const channel = new BroadcastChannel(name);
	const listeners = new Set<() => void>();
	const others = new Set<string>();
	let isKept = false;
	const tell = (message: Message) => channel.postMessage(message);

	channel.onmessage = ({ data }: MessageEvent<Message>) => {
		if (data === "whose") tell({ mine: id });
		else if (data === "held") for (const listener of listeners) listener();
		else others.add(data.mine);
	};
	const claimed = claim();

	/** Only between two pages of one window is its sale named there: a window that is made from another one copies it. */
	async function claim(): Promise<void> {
		const left = sessionStorage.getItem(name);
		sessionStorage.removeItem(name);
		if (left !== null) {
			await takeOver(left);
			return;
		}
		const found = (await database.getAll("carts")).filter(isInTheMaking);
		if (found.length === 0) return;
		tell("whose");
		await new Promise((resolve) => setTimeout(resolve, answerMs));
		for (const cart of found)
			if (!others.has(cart.id) && (await takeOver(cart.id))) return;
	}

	async function takeOver(from: string): Promise<boolean> {
		const tx = database.transaction("carts", "readwrite");
		const cart = await tx.store.get(from);
		if (cart) {
			isKept = true;
			tx.store.delete(from);
			tx.store.put({ ...cart, id });
		}
		await tx.done;
		return cart !== undefined;
	}

	return {
		id,
		async read() {
			await claimed;
			return (await database.get("carts", id)) ?? emptyCart(id);
		},
		async keep(cart) {
			const tx = database.transaction("carts", "readwrite");
			const isThere = (await tx.store.getKey(id)) !== undefined;
			const isOwn = isThere || !isKept;
			if (isOwn) {
				isKept = !isEmpty(cart);
				if (isKept) tx.store.put({ ...cart, id });
				else tx.store.delete(id);
			} else isKept = false;
			await tx.done;
			return isOwn;
		},
		held: async () =>
			(await database.getAll("carts")).filter((cart) => !isInTheMaking(cart)),
		async hold(cart) {
			const tx = database.transaction("carts", "readwrite");
			if ((await tx.store.getKey(id)) !== undefined) {
				tx.store.delete(id);
				tx.store.put(asHeld(cart));
			}
			isKept = false;
			await tx.done;
			tell("held");
		},
		async resume(heldId, inPlace) {
			const tx = database.transaction("carts", "readwrite");
			const found = await tx.store.get(heldId);
			if (found) {
				isKept = true;
				tx.store.delete(heldId);
				tx.store.put({ ...found, id, heldAt: undefined });
				if (inPlace.lines.length > 0) tx.store.put(asHeld(inPlace));
			}
			await tx.done;
			if (!found) return undefined;
			tell("held");
			return { ...found, id, heldAt: undefined };
		},
		letGo() {
			isKept = false;
		},
		onHeld(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			sessionStorage.setItem(name, id);
			channel.close();
		},
	};
}

const isInTheMaking = ({ heldAt }: Cart) => heldAt === undefined;
const isEmpty = ({ lines, note }: Cart) => lines.length === 0 && note === "";
const asHeld = (cart: Cart): Cart => ({
	...cart,
	id: newId(),
	heldAt: new Date().toISOString(),
});
