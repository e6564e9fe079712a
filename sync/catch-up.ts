import { setImmediate as nextTurn } from "node:timers/promises";

/** So many pushes go before a read that waits: some seconds, well within what a till waits for an answer. */
const pushesAheadMax = 32;
/** Nobody lets more of those who are further behind go first. */
const readsAheadMax = 1_000;

/**
 * The order in which tills that come back are served: what they have not yet brought goes before what they will get.
 * Counted in pushes and reads and not in time, so that the same calls are answered in the same order.
 */
export interface CatchUp {
	/** True while tills bring long batches. */
	isBusy(): boolean;
	push<T>(fn: () => Promise<T>): Promise<T>;
	/**
	 * After the pushes under way, one read after the other, with a turn for everyone else in between. Who is furthest
	 * behind goes first: so those who are behind come to stand at one place, and each page is made once for all of them.
	 *
	 * @param position the version that was read last
	 */
	read<T>(position: number, fn: () => Promise<T>): Promise<T>;
}

interface Waiting {
	position: number;
	/** How many had been served when it came. */
	since: number;
	serve(): Promise<void>;
}

export function openCatchUp(): CatchUp {
	let underWay = 0;
	let finished = 0;
	let oneFinished = Promise.withResolvers<void>();
	let waiting: Waiting[] = [];
	let served = 0;
	let isServing = false;

	async function letPass(): Promise<void> {
		const until = finished + pushesAheadMax;
		while (underWay > 0 && finished < until) await oneFinished.promise;
	}

	function takeNext(): Waiting | undefined {
		const [oldest] = waiting;
		const isPatient = oldest && served - oldest.since < readsAheadMax;
		const next = isPatient
			? waiting.reduce((a, b) => (b.position < a.position ? b : a))
			: oldest;
		waiting = waiting.filter((one) => one !== next);
		return next;
	}

	async function serveAll(): Promise<void> {
		isServing = true;
		for (let next = takeNext(); next; next = takeNext()) {
			await next.serve();
			served += 1;
			await nextTurn();
		}
		isServing = false;
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

		async read(position, fn) {
			await letPass();
			return new Promise((resolve, reject) => {
				const serve = () => fn().then(resolve, reject);
				waiting.push({ position, since: served, serve });
				if (!isServing) void serveAll();
			});
		},
	};
}
