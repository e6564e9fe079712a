import type { GatewayError } from "../errors.ts";
import { Fault } from "../fault.ts";
import { isOverBudget } from "../ledger-batch.ts";
import type { WaitsFor } from "./queued-request.ts";

/** How a request waits for its next try. */
interface Wait {
	waitsFor: WaitsFor;
	ms: number;
	/** Whether the try counts as one that failed. */
	isCounted: boolean;
}

/** Tries that a provider failed or a kill interrupted: each may have cost something. */
export const triesMax = 10;
const budgetMs = 60_000;
const backoffMs = 5_000;
const backoffMaxMs = 10 * 60_000;

/**
 * Decides what a failure means for a request: waiting for the internet or the budget costs nothing and has no end but its
 * time; a provider's failures do.
 *
 * @param tries with the one that failed
 * @returns undefined if the failure is its answer
 */
export function waitAfter(
	error: GatewayError,
	tries: number,
): Wait | undefined {
	const { status, details } = error;
	if (isOverBudget(error))
		return { waitsFor: "budget", ms: budgetMs, isCounted: false };
	const mayBeBilled = error.cause instanceof Fault && error.cause.mayBeBilled;
	if (details.code === "offline" && !mayBeBilled)
		return { waitsFor: "internet", ms: 1_000, isCounted: false };
	if ((status < 500 && status !== 429) || tries >= triesMax) return undefined;
	const backoff = Math.min(backoffMaxMs, backoffMs * 2 ** (tries - 1));
	return {
		waitsFor: "provider",
		ms: Math.max(backoff, details.retryAfterMs ?? 0),
		isCounted: true,
	};
}

/** The pauses after deliveries that failed, as Standard Webhooks recommends them. */
const pausesMs = [
	5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000,
];

/** @returns undefined if it is given up */
export function pauseAfterDelivery(tries: number): number | undefined {
	return pausesMs[tries - 1];
}
