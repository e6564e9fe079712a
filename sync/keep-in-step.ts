import { backoffMs, leaveAloneMs, pausedMs } from "./backoff.ts";
import { ShopError, toPauseCode } from "./errors.ts";
import type { Env } from "./ids.ts";
import type { Replica } from "./replica.ts";
import type { Transport } from "./transport.ts";

const intervalMs = 30_000;

export interface InStep {
	/** Syncs as soon as it can and the server wants it: after a new sign-in, say. */
	poke(): void;
	stop(): Promise<void>;
}

/**
 * Syncs a replica from now on: soon after each local mutation, whenever the server says that its head moved, and now
 * and then. After a failure it waits longer each time, and as long as the server asked for, with jitter, so that tills
 * do not return all at once. A session that the server refuses is tried again too, calmly: the server's clock may have been
 * wrong.
 *
 * @param onError told of each failed attempt
 */
export function keepInStep(
	replica: Replica,
	transport: Transport,
	{ env, onError }: { env: Env; onError(error: unknown): void },
): InStep {
	const stopping = new AbortController();
	const { signal } = stopping;
	let isDue = false;
	let wake = () => {};
	let failures = 0;
	let watching: Promise<void> | undefined;

	function poke(): void {
		isDue = true;
		wake();
	}

	const forget = replica.onHead(replica.businessId, () => {
		// While the server is away, a busy till keeps to its waits.
		if (failures > 0) return;
		replica
			.status()
			.then(({ pending }) => (pending > 0 ? poke() : undefined))
			.catch(onError);
	});

	function watch(): void {
		watching ??= transport
			// While it has too much to do, so does a till of a busy shop.
			.watch(() => (failures === 0 ? poke() : undefined), signal)
			.catch((error) => (signal.aborted ? undefined : onError(error)))
			.finally(() => {
				watching = undefined;
			});
	}

	async function run(): Promise<void> {
		while (!signal.aborted) {
			isDue = false;
			let askedMs = 0;
			let waitMs = backoffMs;
			try {
				if (failures > 0 && !(await transport.isReachable()))
					throw new ShopError("unreachable", "The server can't be reached");
				await replica.sync();
				failures = 0;
				if (!signal.aborted) watch();
			} catch (error) {
				failures += 1;
				onError(error);
				if (error instanceof ShopError) {
					askedMs = leaveAloneMs(error.waitMs ?? 0, env);
					if (toPauseCode(error.code)) waitMs = pausedMs;
				}
			}
			const ms = failures === 0 ? intervalMs : waitMs(failures, env);
			await pause(askedMs, () => signal.aborted);
			await pause(ms - askedMs, () => isDue || signal.aborted);
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
		wake = () => {};
	}

	const running = run();
	return {
		poke,
		async stop() {
			forget();
			stopping.abort();
			wake();
			await running;
			await watching;
		},
	};
}
