import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { StoreKind } from "../testing/store-kind.ts";
import type { Violation } from "./witness.ts";

/** A thread's share: every `step`th seed from `from` to less than `to`. */
export interface Share {
	from: number;
	to: number;
	step: number;
	kind: StoreKind;
}

/** The outcome of one seed. */
export interface SeedOutcome {
	seed: number;
	violations: readonly Violation[];
	history: string;
	counts: Record<string, number>;
}

/**
 * Runs seeds on all cores.
 *
 * @param kind the store of the servers' shops
 * @param onOutcome called with each outcome as it ends, in no order
 * @throws if a thread fails, which no seed should cause
 */
export async function runSeeds(
	from: number,
	count: number,
	kind: StoreKind,
	onOutcome: (outcome: SeedOutcome) => void,
): Promise<void> {
	const step = Math.min(availableParallelism(), count);
	const threads = Array.from({ length: step }, (_, i) =>
		runShare({ from: from + i, to: from + count, step, kind }, onOutcome),
	);
	await Promise.all(threads);
}

function runShare(
	share: Share,
	onOutcome: (outcome: SeedOutcome) => void,
): Promise<void> {
	return new Promise((resolve, reject) => {
		const worker = new Worker(new URL("./seeds-worker.ts", import.meta.url), {
			workerData: share,
		});
		worker.on("message", onOutcome);
		worker.on("error", reject);
		worker.on("exit", (code) =>
			code === 0 ? resolve() : reject(new Error("A thread has ended")),
		);
	});
}
