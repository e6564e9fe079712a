import { v7 as newId } from "uuid";
import type { TillApi } from "../../../sync/protocol/till-api.ts";
import type { Cart } from "../../../sync/till/cart.ts";
import { sessionValues } from "../kept-values.ts";
import type { Carts } from "./carts.ts";

const againMs = 1_000;

export interface WindowCarts extends Carts {
	/** After its sale was made, and with that removed. */
	letGo(): void;
	close(): void;
}

/**
 * The sale in the making of this window, and the held ones: a window keeps its own through a reload, and that of one that is
 * gone goes to the next. Which windows are there, their locks say.
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
	/** Only between two pages of one window is its sale named there: a window that is made from another one copies it. */
	const left = sessionValues.read(name);
	sessionValues.remove(name);
	const locked = holdLock();
	const claimed = untilOpen(claim);

	/** A shop that can't be opened yet is tried again, and nothing is in a cart before. */
	async function untilOpen<T>(work: () => Promise<T>): Promise<T> {
		while (!closing.signal.aborted)
			try {
				return await work();
			} catch (error) {
				console.error("The sale in the making can't be read yet", error);
				await new Promise((resolve) => setTimeout(resolve, againMs));
			}
		// Nobody waits for it any more.
		return new Promise(() => {});
	}

	async function claim(): Promise<void> {
		await locked;
		// It may have been taken over before, and the answer lost.
		if (await calls.readCart(id)) return;
		const gone = left === null ? await whoIsGone() : [left];
		for (const from of gone) if (await calls.takeOverCart(id, from)) return;
	}

	/** For as long as this page is there, however it goes. */
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

	/** Named for the next page of this window, which may be this one's reload. */
	function leave(): void {
		sessionValues.write(name, id);
	}
	addEventListener("pagehide", leave);

	return {
		id,
		async read() {
			await claimed;
			// The till's page is opened more than once in a window.
			const kept = await untilOpen(() => calls.readCart(id));
			isKept = kept !== undefined;
			return kept ?? { id, lines: [], note: "" };
		},
		async keep(cart) {
			const kept = isEmpty(cart) ? null : { ...cart, id };
			const wasKept = isKept;
			isKept = kept !== null;
			// A sale took it along.
			if (!wasKept && !isKept) return true;
			const isOwn = await calls.keepCart(id, kept, wasKept);
			if (!isOwn) isKept = false;
			return isOwn;
		},
		held: () => untilOpen(calls.heldCarts),
		async hold(cart) {
			isKept = false;
			await calls.holdCart(id, asHeld(cart));
		},
		async resume(heldId, inPlace) {
			const resumed = await calls.resumeCart(id, heldId, asHeld(inPlace));
			if (resumed) isKept = true;
			return resumed;
		},
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

const isEmpty = ({ lines, note }: Cart) => lines.length === 0 && note === "";
const asHeld = (cart: Cart): Cart => ({
	...cart,
	id: newId(),
	heldAt: new Date().toISOString(),
});
