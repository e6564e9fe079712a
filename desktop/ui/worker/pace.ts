import { ShopError } from "../../../sync/protocol/errors.ts";
import type { Pace } from "../../../sync/replica/pace.ts";

/** Somebody who has just used the till is likely to use it again, and must not wait. */
const useMs = 2_000;

/** The pace of a browser's till, which does everything on one thread. */
interface BrowserPace extends Pace {
	/** Notes that somebody uses the till. */
	use(): void;
	/** Ends all rests. */
	stop(): void;
}

export function openPace(): BrowserPace {
	let usedAt = Number.NEGATIVE_INFINITY;
	let isStopped = false;
	const stopped = Promise.withResolvers<void>();
	return {
		use() {
			usedAt = performance.now();
		},
		async rest(mostMs) {
			const latest = performance.now() + mostMs;
			for (;;) {
				if (isStopped)
					throw new ShopError("unreachable", "This till is closing");
				const until = Math.min(usedAt + useMs, latest);
				const waitMs = until - performance.now();
				if (waitMs <= 0) return;
				await Promise.race([sleep(waitMs), stopped.promise]);
			}
		},
		stop() {
			isStopped = true;
			stopped.resolve();
		},
	};
}

const sleep = (ms: number) =>
	new Promise<void>((resolve) => {
		setTimeout(resolve, ms);
	});
