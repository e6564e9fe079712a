import { v7 as newId } from "uuid";
import { sessionValues } from "../kept-values.ts";
import type { Carts } from "../shop/carts.ts";
import { type Cart, emptyCart } from "../till/cart.ts";
import type { Storage } from "./storage.ts";

/** How long other windows have to say which sales are theirs. */
const answerMs = 250;

/** Asks whose the sales are, answers it, or says that the held ones are others now. */
type Message = "whose" | "held" | { mine: string };

/** Whose a sale in the making is, its key says: whoever takes one over keeps it under another. */
export interface KeptCarts extends Carts {
	/** The sale of this window and the held ones, as last seen. */
	known(): Cart[];
	/** After its sale was made, and with that removed. */
	letGo(): void;
	close(): void;
}

export function openCarts(storage: Storage, businessId: string): KeptCarts {
	const id = newId();
	const name = `counterfoil-carts-${businessId}`;
	const channel = new BroadcastChannel(name);
	const listeners = new Set<() => void>();
	const others = new Set<string>();
	let isKept = false;
	/** As this window last knew it. */
	let own: Cart | undefined;
	let heldLast: Cart[] = [];
	const tell = (message: Message) => channel.postMessage(message);

	channel.onmessage = ({ data }: MessageEvent<Message>) => {
		if (data === "whose") tell({ mine: id });
		else if (data === "held") for (const listener of listeners) listener();
		else others.add(data.mine);
	};
	const claimed = claim();

	/** Only between two pages of one window is its sale named there: a window that is made from another one copies it. */
	async function claim(): Promise<void> {
		const left = sessionValues.read(name);
		sessionValues.remove(name);
		if (left !== null) {
			await takeOver(left);
			return;
		}
		const carts = await storage.use((database) => database.getAll("carts"));
		const found = carts.filter(isInTheMaking);
		if (found.length === 0) return;
		tell("whose");
		await new Promise((resolve) => setTimeout(resolve, answerMs));
		for (const cart of found)
			if (!others.has(cart.id) && (await takeOver(cart.id))) return;
	}

	async function takeOver(from: string): Promise<boolean> {
		own = await storage.use(async (database) => {
			const tx = database.transaction("carts", "readwrite");
			const cart = await tx.store.get(from);
			if (cart) {
				tx.store.delete(from);
				tx.store.put({ ...cart, id });
			}
			await tx.done;
			return cart && { ...cart, id };
		});
		isKept = own !== undefined;
		return isKept;
	}

	return {
		id,
		known: () => [...(own ? [own] : []), ...heldLast],
		async read() {
			await claimed;
			own = await storage.use((database) => database.get("carts", id));
			return own ?? emptyCart(id);
		},
		async keep(cart) {
			const kept = isEmpty(cart) ? undefined : { ...cart, id };
			own = kept;
			const isOwn = await storage.use(async (database) => {
				const tx = database.transaction("carts", "readwrite");
				const isThere = (await tx.store.getKey(id)) !== undefined;
				if (isThere || !isKept) {
					if (kept) tx.store.put(kept);
					else tx.store.delete(id);
				}
				await tx.done;
				return isThere || !isKept;
			});
			isKept = isOwn && kept !== undefined;
			return isOwn;
		},
		async held() {
			const carts = await storage.use((database) => database.getAll("carts"));
			heldLast = carts.filter((cart) => !isInTheMaking(cart));
			return heldLast;
		},
		async hold(cart) {
			const held = asHeld(cart);
			await storage.use(async (database) => {
				const tx = database.transaction("carts", "readwrite");
				if ((await tx.store.getKey(id)) !== undefined) {
					tx.store.delete(id);
					tx.store.put(held);
				}
				await tx.done;
			});
			isKept = false;
			own = undefined;
			tell("held");
		},
		async resume(heldId, inPlace) {
			const held = asHeld(inPlace);
			const resumed = await storage.use(async (database) => {
				const tx = database.transaction("carts", "readwrite");
				const found = await tx.store.get(heldId);
				const resumed = found && { ...found, id, heldAt: undefined };
				if (resumed) {
					tx.store.delete(heldId);
					tx.store.put(resumed);
					if (inPlace.lines.length > 0) tx.store.put(held);
				}
				await tx.done;
				return resumed;
			});
			if (!resumed) return undefined;
			isKept = true;
			own = resumed;
			tell("held");
			return resumed;
		},
		letGo() {
			isKept = false;
			own = undefined;
		},
		onHeld(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			sessionValues.write(name, id);
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
