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
	const limit: TimeLimit = {
		signal: own.signal,
		hasContent: false,
		restart(forMs) {
			clearTimeout(timer);
			timer = setTimeout(
				() =>
					own.abort(
						new Fault("silent", "did not answer in time", {
							mayBeBilled: true,
						}),
					),
				forMs,
			);
		},
		pause: () => clearTimeout(timer),
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
