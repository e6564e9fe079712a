import type { Shop } from "../../sync/shop.ts";

/** Notifies this many listeners per interval: 250 tills a second, each of which then pulls. */
const atOnce = 5;
const everyMs = 20;

/** Notifies a business's listeners of head moves in batches, so that tills don't all pull at once. */
export interface HeadPacer {
	/**
	 * @param notify called soon after the head moved, once for all moves since its last call
	 * @returns a function that stops it
	 */
	listen(businessId: string, notify: () => void): () => void;
}

export function openHeadPacer(shop: Pick<Shop, "onHead">): HeadPacer {
	/** Listeners to notify, in order; a notified one is added at the end again by the next move. */
	const waiting = new Set<() => void>();
	let isPausing = false;

	function notifyNext(): void {
		let left = atOnce;
		for (const notify of waiting) {
			if (left === 0) break;
			left -= 1;
			waiting.delete(notify);
			notify();
		}
		isPausing = left < atOnce;
		if (isPausing) setTimeout(notifyNext, everyMs);
	}

	return {
		listen(businessId, notify) {
			const forget = shop.onHead(businessId, () => {
				waiting.add(notify);
				if (isPausing) return;
				isPausing = true;
				// Wait until this move has reached all listeners.
				setImmediate(notifyNext);
			});
			return () => {
				forget();
				waiting.delete(notify);
			};
		},
	};
}
