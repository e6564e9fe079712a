import { backoffMs, leaveAloneMs, pausedMs } from "../protocol/backoff.ts";
import { ShopError, toPauseCode } from "../protocol/errors.ts";
import type { Env } from "../protocol/ids.ts";
import type { Replica } from "./replica.ts";
import type { Transport } from "./transport.ts";

const intervalMs = 30_000;

export interface SyncLoop {
	/** Syncs as soon as it can and the server wants it: after a new sign-in, say. */
	requestSync(): void;
	/** Tries now, whatever came before: someone asked for it, or the line has changed. @returns when it was tried */
	syncNow(): Promise<void>;
	/** Whether the server answered at the last attempt; null before the first. */
	isOnline(): boolean | null;
	stop(): Promise<void>;
}

/**
 * Syncs a replica from now on: soon after each local mutation, whenever the server says that its head moved, soon after its
 * stream has ended, as it does where the server goes, and now and then. After a failure it waits longer each time, and as long as the server asked for, with jitter, so that tills
 * do not return all at once. A session that the server refuses is tried again too, calmly: the server's clock may have been
 * wrong.
 *
 * @param onError told of each failed attempt; `onTried` of the end of each
 * @param longestMs between two attempts at a server that is away, however often they failed
 */
export function startSyncLoop(
	replica: Replica,
	transport: Transport,
	{
		env,
		onError,
		onTried = () => {},
		longestMs = Number.POSITIVE_INFINITY,
	}: {
		env: Env;
		onError(error: unknown): void;
		onTried?(): void;
		longestMs?: number;
	},
): SyncLoop {
	const stopping = new AbortController();
	const { signal } = stopping;
	let isDue = false;
	let isOnline: boolean | null = null;
	/** Of those who asked for an attempt that has not begun yet. */
	let asked: PromiseWithResolvers<void> | undefined;
	let wake = () => {};
	let failures = 0;
	let watching: Promise<void> | undefined;
	/** Streams that ended one after the other without a word. */
	let lostStreams = 0;

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
		// While the server is away, a busy till keeps to its waits.
		if (failures > 0) return;
		replica
			.status()
			.then(({ pending }) => (pending > 0 ? requestSync() : undefined))
			.catch(onError);
	});

	function watch(): void {
		watching ??= transport
			.watch(() => {
				lostStreams = 0;
				// While it has too much to do, so does a till of a busy shop.
				if (failures === 0) requestSync();
			}, signal)
			.catch((error) => (signal.aborted ? undefined : onError(error)))
			.finally(() => {
				watching = undefined;
				lostStreams += 1;
				wake();
			});
	}

	const hasLostStream = () => failures === 0 && watching === undefined;

	async function run(): Promise<void> {
		while (!signal.aborted) {
			isDue = false;
			const answered = asked;
			asked = undefined;
			let askedMs = 0;
			let waitMs = ownWaitMs;
			try {
				if (failures > 0 && !(await transport.isReachable()))
					throw new ShopError("unreachable", "The server can't be reached");
				await replica.sync();
				failures = 0;
				isOnline = true;
				if (!signal.aborted) watch();
			} catch (error) {
				failures += 1;
				isOnline = false;
				onError(error);
				if (error instanceof ShopError) {
					askedMs = leaveAloneMs(error.waitMs ?? 0, env);
					if (toPauseCode(error.code)) {
						waitMs = pausedMs;
						// One that refuses is there.
						isOnline = true;
					}
				}
			}
			answered?.resolve();
			onTried();
			const ms = failures === 0 ? intervalMs : waitMs(failures, env);
			const mustGoOn = () => isDue || signal.aborted;
			await pause(askedMs, () => asked !== undefined || signal.aborted);
			await pause(ms - askedMs, () => mustGoOn() || hasLostStream());
			if (hasLostStream())
				await pause(
					Math.min(backoffMs(lostStreams, env), intervalMs),
					mustGoOn,
				);
		}
	}

	/** @param mayEnd whether `wake` ends it early */
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
			stopping.abort();
			wake();
			await running;
			asked?.resolve();
			await watching;
		},
	};
}
