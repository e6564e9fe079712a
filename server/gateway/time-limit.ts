import { Fault } from "./fault.ts";
import type { Internet } from "./internet.ts";

/** A resettable timeout, combined with the other signals that end a call. */
export interface TimeLimit {
	readonly signal: AbortSignal;
	/** Once true, a failure breaks off an answer that has begun. */
	hasContent: boolean;
	restart(forMs: number): void;
	/** Stops the clock while no reader wants more. */
	pause(): void;
	end(): void;
}

export function openTimeLimit(
	outer: AbortSignal,
	internet: Internet | undefined,
): TimeLimit {
	const own = new AbortController();
	const onOuter = () => own.abort(outer.reason);
	const abortOffline = (mayBeBilled: boolean) =>
		own.abort(new Fault("offline", "can't be reached", { mayBeBilled }));
	const onOffline = () => {
		// Arriving content proves that the connection works.
		if (!limit.hasContent) abortOffline(true);
	};
	let timer: NodeJS.Timeout | undefined;
	/** Moments of `performance.now()`. */
	let endsAt = Number.POSITIVE_INFINITY;
	let firesAt = Number.POSITIVE_INFINITY;

	/** Every chunk of a stream moves the end, so the timer looks at it only when it fires. */
	function arm(): void {
		if (firesAt <= endsAt) return;
		clearTimeout(timer);
		firesAt = endsAt;
		timer = setTimeout(fire, Math.max(0, endsAt - performance.now()));
	}

	function fire(): void {
		firesAt = Number.POSITIVE_INFINITY;
		if (endsAt > performance.now()) arm();
		else
			own.abort(
				new Fault("silent", "did not answer in time", { mayBeBilled: true }),
			);
	}

	const limit: TimeLimit = {
		signal: own.signal,
		hasContent: false,
		restart(forMs) {
			endsAt = performance.now() + forMs;
			arm();
		},
		pause() {
			endsAt = Number.POSITIVE_INFINITY;
		},
		end() {
			clearTimeout(timer);
			outer.removeEventListener("abort", onOuter);
			forget?.();
		},
	};
	if (outer.aborted) onOuter();
	outer.addEventListener("abort", onOuter, { once: true });
	const forget = internet?.onOffline(onOffline);
	if (internet?.isOffline) abortOffline(false);
	return limit;
}
