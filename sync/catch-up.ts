import { setImmediate as nextTurn } from "node:timers/promises";

/** So many pushes go before a read that waits: some seconds, well within what a till waits for an answer. */
const pushesAheadMax = 64;
/** Nobody lets more of those who are further behind go first. */
const readsAheadMax = 10_000;

/**
 * The order in which tills that come back are served: what they have not yet brought goes before what they will get.
 * Counted in pushes and reads and not in time, so that the same calls are answered in the same order.
 */
export interface CatchUp {
	/** True while tills bring long batches. */
	isBusy(): boolean;
	push<T>(fn: () => Promise<T>): Promise<T>;
	/**
	 * After the pushes under way, one read of a business after the other, with a turn for everyone else in between. Who is
	 * furthest behind goes first: so those who are behind come to stand at one place, and each page is made once for all.
	 *
	 * @param position the version that was read last
	 */
	read<T>(
		businessId: string,
		position: number,
		fn: () => Promise<T>,
	): Promise<T>;
}

/** The reads of one business, in the order in which they came. */
interface Queue {
	waiting: Waiting[];
	served: number;
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
	const queues = new Map<string, Queue>();

	async function letPass(): Promise<void> {
		const until = finished + pushesAheadMax;
		while (underWay > 0 && finished < until) await oneFinished.promise;
	}

	async function serveAll(businessId: string, queue: Queue): Promise<void> {
		for (let next = takeNext(queue); next; next = takeNext(queue)) {
			await next.serve();
			queue.served += 1;
			await nextTurn();
		}
		queues.delete(businessId);
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

		async read(businessId, position, fn) {
			await letPass();
			return new Promise((resolve, reject) => {
				const serve = () => fn().then(resolve, reject);
				const known = queues.get(businessId);
				const queue = known ?? { waiting: [], served: 0 };
				queue.waiting.push({ position, since: queue.served, serve });
				if (known) return;
				queues.set(businessId, queue);
				void serveAll(businessId, queue);
			});
		},
	};
}

function takeNext(queue: Queue): Waiting | undefined {
	const { waiting, served } = queue;
	const [oldest] = waiting;
	const isPatient = oldest && served - oldest.since < readsAheadMax;
	const next = isPatient
		? waiting.reduce((a, b) => (b.position < a.position ? b : a))
		: oldest;
	queue.waiting = waiting.filter((one) => one !== next);
	return next;
}
