import { v7 as newId } from "uuid";
import type { TillApi } from "../../../sync/protocol/till-api.ts";
import type { Cart } from "../../../sync/till/cart.ts";
import { sessionValues } from "../stored-values.ts";
import type { Carts } from "./carts.ts";

const againMs = 1_000;

export interface WindowCarts extends Carts {
	/** Whether this window has stored one, which a sale removes. */
	isKept(): boolean;
	/** Call it after the cart was sold and removed. */
	letGo(): void;
	close(): void;
}

/**
 * This window's cart and the held sales. A window keeps its cart through a reload; a closed window's cart goes to the next
 * window. A lock per window shows which ones are open.
 */
export function openWindowCarts(
	calls: TillApi,
	businessId: string,
	onHeld: Set<() => void>,
): WindowCarts {
	const id = newId();
	const name = `counterfoil-window-${businessId}`;
	const lockOf = (window: string) => `${name}-${window}`;
	const closing = new AbortController();
	let isKept = false;
	/** The last call failed, and may have stored a cart. */
	let isUnsure = false;
	/** Names this window's cart only between two of its pages, since a duplicated window copies the session storage. */
	const left = sessionValues.read(name);
	sessionValues.remove(name);
	const locked = holdLock();
	const claimed = untilOpen(claim);

	/** Retries while the shop can't be opened. */
	async function untilOpen<T>(work: () => Promise<T>): Promise<T> {
		while (!closing.signal.aborted)
			try {
				return await work();
			} catch (error) {
				console.error("Can't read the cart yet", error);
				await new Promise((resolve) => setTimeout(resolve, againMs));
			}
		// The page no longer waits for it.
		return new Promise(() => {});
	}

	async function claim(): Promise<void> {
		await locked;
		// An earlier claim may have succeeded although its response was lost.
		if (await calls.readCart(id)) return;
		const gone = left === null ? await whoIsGone() : [left];
		for (const from of gone) if (await calls.takeOverCart(id, from)) return;
	}

	/** Holds the lock until this page is gone, even after a crash. */
	async function holdLock(): Promise<void> {
		const held = Promise.withResolvers<void>();
		void navigator.locks?.request(lockOf(id), async () => {
			held.resolve();
			await new Promise((resolve) =>
				closing.signal.addEventListener("abort", resolve),
			);
		});
		if (navigator.locks) await held.promise;
	}

	async function whoIsGone(): Promise<string[]> {
		if (!navigator.locks) return [];
		const owners = await calls.cartOwners();
		const { held = [] } = await navigator.locks.query();
		const there = new Set(held.map((lock) => lock.name));
		return owners.filter((owner) => !there.has(lockOf(owner)));
	}

	/** Leaves the cart's name for the next page of this window, which may be a reload. */
	function leave(): void {
		sessionValues.write(name, id);
	}
	addEventListener("pagehide", leave);

	/** A call that failed may have stored nothing: a cart that seems to be gone would be taken for another window's. */
	async function unless<T>(wasKept: boolean, done: Promise<T>): Promise<T> {
		try {
			const stored = await done;
			isUnsure = false;
			return stored;
		} catch (error) {
			isKept = wasKept;
			isUnsure = true;
			throw error;
		}
	}

	return {
		id,
		async read() {
			await claimed;
			// The till page opens more than once in a window.
			const kept = await untilOpen(() => calls.readCart(id));
			isKept = kept !== undefined;
			return kept ?? { id, lines: [], note: "" };
		},
		async keep(cart) {
			const kept = isEmpty(cart) ? null : { ...cart, id };
			const wasKept = isKept;
			isKept = kept !== null;
			// The sale removed it.
			if (!wasKept && !isKept && !isUnsure) return true;
			const isOwn = await unless(wasKept, calls.keepCart(id, kept, wasKept));
			if (!isOwn) isKept = false;
			return isOwn;
		},
		held: () => untilOpen(calls.heldCarts),
		async hold(cart) {
			const wasKept = isKept;
			isKept = false;
			await unless(wasKept, calls.holdCart(id, asHeld(cart)));
		},
		async resume(heldId, inPlace) {
			const resumed = await calls.resumeCart(id, heldId, asHeld(inPlace));
			if (resumed) isKept = true;
			return resumed;
		},
		isKept: () => isKept,
		letGo() {
			isKept = false;
		},
		onHeld(listener) {
			onHeld.add(listener);
			return () => onHeld.delete(listener);
		},
		close() {
			leave();
			removeEventListener("pagehide", leave);
			closing.abort();
		},
	};
}

const isEmpty = ({ lines, note, removed }: Cart) =>
	lines.length === 0 && note === "" && !removed;
const asHeld = (cart: Cart): Cart => ({
	...cart,
	id: newId(),
	heldAt: new Date().toISOString(),
});
