import { GatewayError } from "./errors.ts";

/**
 * A call in the air that several may have asked for: its parts are kept for those who join late, and it is given up when
 * nobody waits for it any more.
 */
export interface Flight<Head, Part> {
	/** Resolves with what is known before the first part. Rejects where the call failed before it. */
	readonly head: Promise<Head>;
	/** All parts from the first one on. Throws what the call failed of, after the parts that came before that. */
	parts(): AsyncGenerator<Part, void>;
	/** Counts one more who waits. */
	join(): void;
	/** The last one who leaves ends the call. */
	leave(): void;
	/** Ends the call, whoever waits for it. */
	abort(): void;
	/** Resolves when nothing of it goes on any more. */
	readonly over: Promise<void>;
}

/** How far the fastest reader may be behind before the source is asked to wait. */
const aheadMax = 256;

interface Source<Head, Part> {
	head: Head;
	/** All at once, or as they come. */
	parts: Part[] | AsyncIterable<Part>;
}

/**
 * @param start makes the call; its parts are read as fast as the fastest reader takes them
 * @param onEnd when it is over, for whatever reason
 */
function openFlight<Head, Part>(
	start: (signal: AbortSignal) => Promise<Source<Head, Part>>,
	onEnd: () => void,
): Flight<Head, Part> {
	const abort = new AbortController();
	const parts: Part[] = [];
	let readers = 1;
	let furthest = 0;
	let ended = false;
	let failure: { error: unknown } | undefined;
	let changed = Promise.withResolvers<void>();
	let taken = Promise.withResolvers<void>();
	const change = () => {
		changed.resolve();
		changed = Promise.withResolvers();
	};
	const source = start(abort.signal);
	source.catch(() => onEnd());

	async function pump(): Promise<void> {
		const { parts: incoming } = await source;
		if (Array.isArray(incoming)) {
			parts.push(...incoming);
			ended = true;
			change();
			onEnd();
			return;
		}
		try {
			for await (const part of incoming) {
				parts.push(part);
				change();
				while (parts.length - furthest > aheadMax && !abort.signal.aborted) {
					taken = Promise.withResolvers();
					await taken.promise;
				}
				if (abort.signal.aborted) break;
			}
		} catch (error) {
			failure = { error };
		} finally {
			ended = true;
			change();
			onEnd();
		}
	}
	const over = pump().catch(() => {
		// It failed before its first part: `head` tells.
	});

	function end(): void {
		// Whoever comes now comes too late to save it.
		onEnd();
		abort.abort(new DOMException("Nobody waits for it", "AbortError"));
		taken.resolve();
	}

	return {
		head: source.then(({ head }) => head),
		async *parts() {
			for (let next = 0; ; ) {
				if (next < parts.length) {
					yield parts[next] as Part;
					next += 1;
					if (next > furthest) {
						furthest = next;
						taken.resolve();
					}
				} else if (failure) throw failure.error;
				else if (ended) return;
				else await changed.promise;
			}
		},
		join() {
			readers += 1;
		},
		leave() {
			readers -= 1;
			if (readers === 0 && !ended) end();
		},
		abort: end,
		over,
	};
}

/** The flights of a gateway, by the name under which equal calls share one. */
interface Flights<Head, Part> {
	/**
	 * Joins the flight of this name, or starts one; without a name it is shared with nobody.
	 *
	 * @throws GatewayError 503 after `close`
	 */
	board(
		name: string | undefined,
		start: (signal: AbortSignal) => Promise<Source<Head, Part>>,
	): { flight: Flight<Head, Part>; isShared: boolean };
	/** Aborts all flights, and waits until they are over. */
	close(): Promise<void>;
}

export function openFlights<Head, Part>(): Flights<Head, Part> {
	const joinable = new Map<string, Flight<Head, Part>>();
	const underWay = new Set<Flight<Head, Part>>();
	let isClosed = false;
	return {
		board(name, start) {
			const found = name === undefined ? undefined : joinable.get(name);
			if (found) {
				found.join();
				return { flight: found, isShared: true };
			}
			if (isClosed) throw new GatewayError(503, "The server is shutting down");
			const flight = openFlight(start, () => {
				if (name !== undefined && joinable.get(name) === flight)
					joinable.delete(name);
			});
			if (name !== undefined) joinable.set(name, flight);
			underWay.add(flight);
			void flight.over.then(() => underWay.delete(flight));
			return { flight, isShared: false };
		},

		async close() {
			isClosed = true;
			for (const flight of underWay) flight.abort();
			await Promise.all([...underWay].map(({ over }) => over));
		},
	};
}
