import { useEffect, useState } from "react";
import type { OutboxState } from "../../../sync/till/calls.ts";
import { useShop } from "../session.tsx";
import type { PageStanding } from "./client.ts";
import { useIsSent, useTill } from "./till.ts";
import { useStanding } from "./use-shop-data.ts";

// All that is different in a till's window for as long as it has a client of its own: that one is in step with the till
// always, and what counts is how the till stands to the shop's server.

export function useIsTillWindow(): boolean {
	return useTill()?.mode === "joined";
}

/** How this device stands to the shop's server. */
export function useDeviceStanding(): PageStanding {
	const own = useStanding();
	const till = useTill();
	if (till?.mode !== "joined") return own;
	const { isOnline, paused, lastSyncAt } = till;
	const rejected = till.rejected.map((one) => ({ args: null, ...one }));
	return {
		...own,
		...{ isOnline, paused, lastSyncAt },
		pending: own.pending + till.pending,
		rejected: [...own.rejected, ...rejected],
	};
}

/** How far a mutation of this device has come. */
export function useArrival(mutationId: string): OutboxState {
	const { shop } = useShop();
	const standing = useStanding();
	const [state, setState] = useState<OutboxState>("pending");
	// biome-ignore lint/correctness/useExhaustiveDependencies: looked up again whenever the outbox moves.
	useEffect(() => {
		let isOld = false;
		void shop.stateOf(mutationId).then((found) => {
			if (found && !isOld) setState(found);
		});
		return () => {
			isOld = true;
		};
	}, [shop, mutationId, standing]);
	const isTill = useIsTillWindow();
	const isSent = useIsSent(mutationId, isTill && state === "acknowledged");
	// What the till took from its window is saved; sent is what the shop's server has.
	return isTill && state === "acknowledged" && !isSent ? "pending" : state;
}

/** The sales that the shop's server has. */
export function useServersHistory(): string {
	return useIsTillWindow() ? "/api/till/sales-history" : "/api/sales-history";
}
