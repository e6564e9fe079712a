import { setImmediate as nextTurn } from "node:timers/promises";

/** A read waits for at most so many pushes, which take some seconds: less than a till waits for an answer. */
const pushesAheadMax = 64;

/**
 * Serves pushes before pulls when many tills come back at once. It counts pushes and not time, so that the same calls
 * are answered in the same order.
 */
interface PullQueue {
	/** True while tills push long batches. */
	isBusy(): boolean;
	push<T>(fn: () => Promise<T>): Promise<T>;
	/** Runs a read after the pushes in progress. Reads run one at a time, and other tasks get a turn between them. */
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
