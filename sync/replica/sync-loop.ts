import { backoffMs, pausedMs, retryAfterMs } from "../protocol/backoff.ts";
import { ShopError, toPauseCode } from "../protocol/errors.ts";
import type { Env } from "../protocol/ids.ts";
import type { Compared } from "./compare.ts";
import type { Replica } from "./replica.ts";
import type { Transport } from "./transport.ts";

const intervalMs = 30_000;
/** How long a local mutation waits: meanwhile its page shows it, on the same few cores. */
const restMs = 50;
/** Mutations within so long of another are one person's haste. */
const hasteMs = 1_000;
/** How long a till waits with the next comparison of its rows. */
const comparedMs = 3_600_000;
const againMs: Record<Compared, number> = {
	same: comparedMs,
	different: comparedMs,
	unknown: 60_000,
	healed: 10_000,
};

export interface SyncLoop {
	/** Syncs as soon as the waits allow it, for example after a local mutation. */
	requestSync(): void;
	/**
	 * Syncs now, regardless of waits: a person asked for it, or the network has changed.
	 *
	 * @returns after the attempt
	 */
	syncNow(): Promise<void>;
	/** Whether the server answered the last attempt. Null before the first. */
	isOnline(): boolean | null;
	stop(): Promise<void>;
}

/**
 * Keeps a replica in sync until it is stopped: it syncs soon after each local mutation, whenever the server's head
 * moves, soon after its stream has ended, and regularly. After a failure it waits longer each time, at least as long as
 * the server asked for, and with jitter so that tills do not all return at once. A session that the server refuses is
 * retried slowly, because the server's clock may have been wrong.
 *
 * @param onError receives the error of each failed attempt; `onTried` is called at the end of each
 * @param hasteRestMs how long a local mutation waits that soon follows another: the next one may be at once
 * @param after the first attempt waits for it
 * @param longestMs maximum wait between attempts while the server is away
 */
export function startSyncLoop(
	replica: Replica,
	transport: Transport,
	{
		env,
		onError,
		onTried = () => {},
		after = undefined,
		hasteRestMs = restMs,
		longestMs = Number.POSITIVE_INFINITY,
	}: {
		env: Env;
		onError(error: unknown): void;
		onTried?(): void;
		after?: Promise<void> | undefined;
		hasteRestMs?: number;
		longestMs?: number;
	},
): SyncLoop {
	const stopping = new AbortController();
	const { signal } = stopping;
	let isDue = false;
	let isOnline: boolean | null = null;
	/** Callers of `syncNow` whose attempt has not started. */
	let asked: PromiseWithResolvers<void> | undefined;
	let wake = () => {};
	/** Set while local mutations wait. */
	let sending: ReturnType<typeof setTimeout> | undefined;
	let sentAt = Number.NEGATIVE_INFINITY;
	let failures = 0;
	let watching: Promise<void> | undefined;
	/** Streams that ended in a row without an event. */
	let lostStreams = 0;
	let compareAt = Number.NEGATIVE_INFINITY;

	const ownWaitMs: typeof backoffMs = (failures) =>
		Math.min(backoffMs(failures, env), longestMs);

	function requestSync(): void {
		isDue = true;
		wake();
	}

	function syncNow(): Promise<void> {
		asked ??= Promise.withResolvers<void>();
		requestSync();
		return asked.promise;
	}

	const forget = replica.onHead(replica.businessId, () => {
		if (sending !== undefined) return;
		const now = env.now();
		const waitMs = now - sentAt < hasteMs ? hasteRestMs : restMs;
		sentAt = now + waitMs;
		sending = setTimeout(() => {
			sending = undefined;
			sendPending().catch(onError);
		}, waitMs);
	});

	async function sendPending(): Promise<void> {
		// While the server is away, local mutations do not shorten a wait.
		if (failures > 0) return;
		const { pending } = await replica.status();
		if (pending > 0) requestSync();
	}

	function watch(): void {
		watching ??= transport
			.watch((cursor) => {
				lostStreams = 0;
				follow(cursor).catch(onError);
			}, signal)
			.catch((error) => (signal.aborted ? undefined : onError(error)))
			.finally(() => {
				watching = undefined;
				lostStreams += 1;
				wake();
			});
	}

	/** Syncs for a move of the server's head, unless it is the till's own: what it sent came back with the answer. */
	async function follow(cursor: string): Promise<void> {
		if (await replica.hasReached(cursor)) return;
		// While a server is overloaded, a busy till keeps to its waits too.
		if (failures === 0) requestSync();
	}

	/** Compares rows now and then, while nothing else is to be done. */
	async function compareIfDue(): Promise<void> {
		const now = env.now();
		// The clock may have been set back.
		const mayWait = now < compareAt && compareAt - now <= comparedMs;
		if (mayWait || mustGoOn()) return;
		compareAt = now + againMs.unknown;
		try {
			const found = await replica.compare();
			compareAt = now + againMs[found];
			// What is sent again goes at once.
			if (found === "healed") requestSync();
		} catch (error) {
			// The till has just synced: it sells and sends on.
			onError(error);
		}
	}

	const mustGoOn = () => isDue || signal.aborted;
	const hasLostStream = () => failures === 0 && watching === undefined;

	async function run(): Promise<void> {
		if (after) await after;
		while (!signal.aborted) {
			isDue = false;
			const answered = asked;
			asked = undefined;
			let askedMs = 0;
			let waitMs = ownWaitMs;
			try {
				if (failures > 0 && !(await transport.isReachable()))
					throw new ShopError("unreachable", "The server can't be reached");
				await replica.sync({
					leavesHistory: true,
					mayGoOn: () => !mustGoOn(),
				});
				failures = 0;
				isOnline = true;
				if (!signal.aborted) watch();
				answered?.resolve();
				onTried();
				await replica.bringHistory(() => !mustGoOn());
				await compareIfDue();
			} catch (error) {
				failures += 1;
				isOnline = false;
				onError(error);
				if (error instanceof ShopError) {
					askedMs = retryAfterMs(error.waitMs ?? 0, env);
					if (toPauseCode(error.code)) {
						waitMs = pausedMs;
						// A refusal proves that the server is online.
						isOnline = true;
					}
				}
			}
			answered?.resolve();
			if (failures > 0) onTried();
			const ms = failures === 0 ? intervalMs : waitMs(failures, env);
			await pause(askedMs, () => asked !== undefined || signal.aborted);
			await pause(ms - askedMs, () => mustGoOn() || hasLostStream());
			if (hasLostStream())
				await pause(
					Math.min(backoffMs(lostStreams, env), intervalMs),
					mustGoOn,
				);
		}
	}

	/** @param mayEnd whether `wake` ends the pause early */
	async function pause(ms: number, mayEnd: () => boolean): Promise<void> {
		if (ms <= 0 || mayEnd()) return;
		await new Promise<void>((resolve) => {
			const timer = setTimeout(resolve, ms);
			wake = () => {
				if (!mayEnd()) return;
				clearTimeout(timer);
				resolve();
			};
		});
	}

	const running = run();
	return {
		requestSync,
		syncNow,
		isOnline: () => isOnline,
		async stop() {
			forget();
			clearTimeout(sending);
			stopping.abort();
			wake();
			await running;
			asked?.resolve();
			await watching;
		},
	};
}
