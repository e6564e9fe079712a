import { useQuery } from "@tanstack/react-query";
import type { PauseCode } from "../../../sync/errors.ts";
import type { Unaccepted } from "../../../sync/till/calls.ts";
import { ApiError, ask } from "../api.ts";

/** What a computer is to the shop, where the app runs in a till's own window. */
export interface Till {
	mode: "new" | "alone" | "joining" | "joined";
	server: string | null;
	/** At the last attempt; null before the first. */
	isOnline: boolean | null;
	rows: number;
	pending: number;
	paused: PauseCode | null;
	lastSyncAt: string | null;
	rejected: Omit<Unaccepted, "args">[];
}

const lookMs = 2_000;
const joiningMs = 400;

/** @returns null in a browser, whose server is the shop's own; undefined until that is known */
export function useTill(): Till | null | undefined {
	const { data } = useQuery({
		queryKey: ["till"],
		queryFn: () =>
			ask<Till>("GET", "/api/till").catch((error) => {
				if (error instanceof ApiError && error.status === 404) return null;
				throw error;
			}),
		staleTime: Number.POSITIVE_INFINITY,
		refetchInterval: ({ state: { data: till } }) =>
			!till || till.mode === "alone"
				? false
				: till.mode === "joining"
					? joiningMs
					: lookMs,
	});
	return data;
}

/** Whether a mutation that this till took has reached the shop's server. */
export function useIsSent(
	mutationId: string,
	isAsked: boolean,
): boolean | undefined {
	const { data } = useQuery({
		queryKey: ["till", "sent", mutationId],
		queryFn: () =>
			ask<{ isSent: boolean }>("GET", `/api/till/mutations/${mutationId}`),
		enabled: isAsked,
		refetchInterval: ({ state }) => (state.data?.isSent ? false : lookMs / 2),
	});
	return data?.isSent;
}

/** Until the till, which is opened anew when it becomes a server's, answers again. */
export async function untilJoined(): Promise<void> {
	for (;;) {
		const till = await ask<Till>("GET", "/api/till").catch((error) => {
			if (error instanceof ApiError && error.isOffline) return undefined;
			throw error;
		});
		if (till?.mode === "joined") return;
		await new Promise((resolve) => setTimeout(resolve, joiningMs));
	}
}
