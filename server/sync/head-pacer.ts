import type { Shop } from "../../sync/shop.ts";

/** So many listeners hear at once, and the next so much later: 250 a second, each of which comes and pulls. */
const atOnce = 5;
const everyMs = 20;

/** Tells those who listen to a business that its head moved, in turn: all at once, they would all pull at once. */
export interface Pokes {
	/**
	 * @param poke called soon after the head moved; once for all moves that it had not yet heard of
	 * @returns a function that ends it
	 */
	listen(businessId: string, poke: () => void): () => void;
}

export function openPokes(shop: Pick<Shop, "onHead">): Pokes {
	/** In the order of their turns: who was told goes to the end with the next move. */
	const waiting = new Set<() => void>();
	let isPausing = false;

	function tellSome(): void {
		let left = atOnce;
		for (const poke of waiting) {
			if (left === 0) break;
			left -= 1;
			waiting.delete(poke);
			poke();
		}
		isPausing = left < atOnce;
		if (isPausing) setTimeout(tellSome, everyMs);
	}

	return {
		listen(businessId, poke) {
			const forget = shop.onHead(businessId, () => {
				waiting.add(poke);
				if (isPausing) return;
				isPausing = true;
				// All listeners of this move are there by then.
				setImmediate(tellSome);
			});
			return () => {
				forget();
				waiting.delete(poke);
			};
		},
	};
}
