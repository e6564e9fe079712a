import { useQuery } from "@tanstack/react-query";
import { ApiError, ask } from "../api.ts";
import { isTillsWindow } from "../sent-page.ts";

/** What a desktop till is to its shop. */
export interface Till {
	mode: "new" | "alone" | "joining" | "joined";
	server: string | null;
	/** Whether the last attempt reached the server; null before the first. */
	isOnline: boolean | null;
	/** Records downloaded so far. */
	rows: number;
}

const joiningMs = 400;

/** @returns undefined in a browser, and until the state is known */
export function useTill(): Till | undefined {
	const { data } = useQuery({
		queryKey: ["till"],
		queryFn: () => ask<Till>("GET", "/api/till"),
		enabled: isTillsWindow,
		staleTime: Number.POSITIVE_INFINITY,
		// The shop process restarts when it joins a server.
		refetchInterval: ({ state: { data: till, status } }) =>
			till?.mode === "joining" || status === "error" ? joiningMs : false,
	});
	return data;
}

/** The address of the shop's server, as far as this till knows it; null on a till without one. */
export function useServerAddress(): string | null {
	const till = useTill();
	return isTillsWindow ? (till?.server ?? null) : location.origin;
}

export async function readServerAddress(): Promise<string | null> {
	if (!isTillsWindow) return location.origin;
	const { server } = await ask<Till>("GET", "/api/till");
	return server;
}

/** Waits for the till to answer again: it reopens when it joins a server, and when its demo shop is removed. */
export async function untilTillIs(mode: Till["mode"]): Promise<void> {
	for (;;) {
		const till = await ask<Till>("GET", "/api/till").catch((error) => {
			// Closed, or starting.
			if (error instanceof ApiError && [0, 503].includes(error.status))
				return undefined;
			throw error;
		});
		if (till?.mode === mode) return;
		await new Promise((resolve) => setTimeout(resolve, joiningMs));
	}
}
