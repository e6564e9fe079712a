import { setImmediate as nextTurn } from "node:timers/promises";

/** So many pushes go before a read that waits: some seconds, well within what a till waits for an answer. */
const pushesAheadMax = 64;

/**
 * The order in which tills that come back are served: what they have not yet brought goes before what they will get.
 * Counted in pushes and not in time, so that the same calls are answered in the same order.
 */
interface PullQueue {
	/** True while tills bring long batches. */
	isBusy(): boolean;
	push<T>(fn: () => Promise<T>): Promise<T>;
	/** After the pushes under way, then one read after the other, with a turn for everyone else in between. */
	read<T>(fn: () => Promise<T>): Promise<T>;
}

export function openPullQueue(): PullQueue {
	let underWay = 0;
	let finished = 0;
	let oneFinished = Promise.withResolvers<void>();
	let last: Promise<unknown> = Promise.resolve();

	async function letPass(): Promise<void> {
		const until = finished + pushesAheadMax;
		while (underWay > 0 && finished < until) await oneFinished.promise;
	}

	return {
		isBusy: () => underWay > 0,

		async push(fn) {
			underWay += 1;
			try {
				return await fn();
			} finally {
				underWay -= 1;
				finished += 1;
				oneFinished.resolve();
				oneFinished = Promise.withResolvers();
			}
		},

		async read(fn) {
			await letPass();
			const done = last.then(fn);
			last = done.catch(() => {}).then(() => nextTurn());
			return done;
		},
	};
}
