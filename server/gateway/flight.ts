import { GatewayError } from "./errors.ts";
import { openRoster } from "./roster.ts";

/** A running call. It aborts when its last caller leaves. */
export interface Flight<Head, Part> {
	/** Resolves with the data known before the first part; rejects if the call fails before that. */
	readonly head: Promise<Head>;
	/** Yields all parts from the first on, once `head` has resolved. Throws the call's error after the parts before it. */
	parts(): AsyncIterableIterator<Part, void>;
	/** Counts one caller less; the last to leave aborts the call. */
	leave(): void;
	/** Aborts the call even while callers wait. */
	abort(): void;
	/** Resolves when the call has ended completely. */
	readonly over: Promise<void>;
}

/** A call that several callers share. It keeps its parts for callers that join late. */
interface SharedFlight<Head, Part> extends Flight<Head, Part> {
	/** Counts another waiting caller. */
	join(): void;
}

/** How many parts the source may run ahead of the fastest reader. */
const aheadMax = 256;

interface Source<Head, Part> {
	head: Head;
	/** A whole answer's parts, or a stream's. */
	parts: Part[] | AsyncGenerator<Part, void>;
}

type Start<Head, Part> = (signal: AbortSignal) => Promise<Source<Head, Part>>;

/** Starts a call that nobody joins: to pass its parts through a list would cost more than to read them. */
function openOwnFlight<Head, Part>(
	start: Start<Head, Part>,
): Flight<Head, Part> {
	const abort = new AbortController();
	const { signal } = abort;
	const { promise: over, resolve: end } = Promise.withResolvers<void>();
	/** A whole answer's parts, or a stream. */
	let whole: Part[] | undefined;
	let source: AsyncGenerator<Part, void> | undefined;

	async function begin(): Promise<Head> {
		try {
			const { head, parts } = await start(signal);
			if (Array.isArray(parts)) {
				whole = parts;
				end();
			} else source = parts;
			return head;
		} catch (error) {
			end();
			throw error;
		}
	}
	const head = begin();

	/** A generator that nobody has read from ends without its last steps, so this reads once. */
	async function stop(): Promise<void> {
		abort.abort(new DOMException("Nobody waits for it", "AbortError"));
		try {
			await head;
			await source?.next();
		} catch {
			// The caller has the error, if there is one.
		}
		await source?.return();
		end();
	}

	return {
		head,
		parts() {
			if (whole) return readAll(whole);
			if (!source) throw new TypeError("The call has not begun");
			return readingOf(source, signal, end);
		},
		leave: () => void stop(),
		abort: () => void stop(),
		over,
	};
}

/** Reads parts that have all arrived. */
function readAll<Part>(parts: Part[]): AsyncIterableIterator<Part, void> {
	const steps = parts.values();
	return {
		next: () => Promise.resolve(steps.next() as IteratorResult<Part, void>),
		[Symbol.asyncIterator]() {
			return this;
		},
	};
}

/**
 * Reads a source until the signal aborts. Another generator would add a turn of the event loop's queue to each part.
 *
 * @param onEnd called when the source has ended, for any reason
 */
function readingOf<Part>(
	source: AsyncGenerator<Part, void>,
	signal: AbortSignal,
	onEnd: () => void,
): AsyncIterableIterator<Part, void> {
	type Step = Promise<IteratorResult<Part, void>>;
	const watch = (step: Step): Step => {
		step.then(({ done }) => done && onEnd(), onEnd);
		return step;
	};
	return {
		next: () =>
			signal.aborted ? Promise.reject(signal.reason) : watch(source.next()),
		return: () => watch(source.return()),
		[Symbol.asyncIterator]() {
			return this;
		},
	};
}

/**
 * @param start makes the call; its parts are read at the fastest reader's pace
 * @param onEnd called once when the call ends, for any reason
 */
function openSharedFlight<Head, Part>(
	start: Start<Head, Part>,
	onEnd: () => void,
): SharedFlight<Head, Part> {
	const abort = new AbortController();
	const parts: Part[] = [];
	let readers = 1;
	let furthest = 0;
	let ended = false;
	let failure: { error: unknown } | undefined;
	/** What readers and the pump wait for, while they do. */
	let changed: PromiseWithResolvers<void> | undefined;
	let taken: PromiseWithResolvers<void> | undefined;
	const change = () => {
		changed?.resolve();
		changed = undefined;
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
		// A failure before the first part rejects `head` too.
	});

	function end(): void {
		// From here on, an equal call starts its own flight.
		onEnd();
		abort.abort(new DOMException("Nobody waits for it", "AbortError"));
		taken?.resolve();
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
						taken?.resolve();
					}
				} else if (failure) throw failure.error;
				else if (ended) return;
				else {
					changed ??= Promise.withResolvers();
					await changed.promise;
				}
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

/** A gateway's flights, by the name that equal calls share. */
interface Flights<Head, Part> {
	/**
	 * Joins the flight of this name, or starts one; a flight without a name is not shared.
	 *
	 * @throws GatewayError 503 after `close`
	 */
	board(
		name: string | undefined,
		start: Start<Head, Part>,
	): { flight: Flight<Head, Part>; isShared: boolean };
	/** Aborts all flights and waits until they have ended. */
	close(): Promise<void>;
}

export function openFlights<Head, Part>(): Flights<Head, Part> {
	const joinable = new Map<string, SharedFlight<Head, Part>>();
	const underWay = openRoster<Flight<Head, Part>>();
	let isClosed = false;

	function share(name: string, start: Start<Head, Part>) {
		const flight = openSharedFlight(start, () => {
			if (joinable.get(name) === flight) joinable.delete(name);
		});
		joinable.set(name, flight);
		return flight;
	}

	return {
		board(name, start) {
			const found = name === undefined ? undefined : joinable.get(name);
			if (found) {
				found.join();
				return { flight: found, isShared: true };
			}
			if (isClosed) throw new GatewayError(503, "The server is shutting down");
			const flight =
				name === undefined ? openOwnFlight(start) : share(name, start);
			void flight.over.then(underWay.add(flight));
			return { flight, isShared: false };
		},

		async close() {
			isClosed = true;
			const flights = underWay.all();
			for (const flight of flights) flight.abort();
			await Promise.all(flights.map(({ over }) => over));
		},
	};
}
