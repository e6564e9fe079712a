import { useQuery } from "@tanstack/react-query";
import { ApiError, ask } from "../api.ts";

/** What a computer is to the shop, where the app runs in a till's own window. */
export interface Till {
	mode: "new" | "alone" | "joining" | "joined";
	server: string | null;
	/** Whether its server could be reached at the last attempt; null before the first. */
	isOnline: boolean | null;
	/** Records that have come so far. */
	rows: number;
}

/** Whether this page is a till's own window, whose shop is in a process of its own. Its server says so in the page. */
export const isTillsWindow = document.documentElement.dataset.place === "till";

const joiningMs = 400;

/** @returns undefined in a browser, whose server is the shop's own, and until it is known */
export function useTill(): Till | undefined {
	const { data } = useQuery({
		queryKey: ["till"],
		queryFn: () => ask<Till>("GET", "/api/till"),
		enabled: isTillsWindow,
		staleTime: Number.POSITIVE_INFINITY,
		// It is away for a moment when it becomes a till.
		refetchInterval: ({ state: { data: till, status } }) =>
			till?.mode === "joining" || status === "error" ? joiningMs : false,
	});
	return data;
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
