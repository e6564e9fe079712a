import { ShopError } from "./errors.ts";
import type { Env } from "./ids.ts";
import type { Replica } from "./replica.ts";
import type { Transport } from "./transport.ts";

const intervalMs = 30_000;
const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;

export interface InStep {
	/** Syncs as soon as it can: after a new sign-in, say. */
	poke(): void;
	stop(): Promise<void>;
}

/**
 * Syncs a replica from now on: soon after each local mutation, whenever the server says that its head moved, and now
 * and then. After a failure it waits longer each time, with jitter, so that tills do not return all at once.
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
			.watch(poke, signal)
			.catch((error) => (signal.aborted ? undefined : onError(error)))
			.finally(() => {
				watching = undefined;
			});
	}

	async function run(): Promise<void> {
		while (!signal.aborted) {
			isDue = false;
			try {
				if (failures > 0 && !(await transport.isReachable()))
					throw new ShopError("unreachable", "The server can't be reached");
				await replica.sync();
				failures = 0;
				if (!signal.aborted) watch();
			} catch (error) {
				failures += 1;
				onError(error);
			}
			await pause(failures === 0 ? intervalMs : backoffMs(failures, env));
		}
	}

	async function pause(ms: number): Promise<void> {
		if (isDue || signal.aborted) return;
		await new Promise<void>((resolve) => {
			const timer = setTimeout(resolve, ms);
			wake = () => {
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

/** Doubling, with a random half taken off at most. */
export function backoffMs(failures: number, env: Env): number {
	const ceiling = Math.min(
		longestBackoffMs,
		firstBackoffMs * 2 ** Math.min(failures - 1, 16),
	);
	const [random = 0] = env.randomBytes(1);
	return ceiling * (1 - random / 512);
}
