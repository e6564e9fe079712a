import { fetchTransport } from "../../../sync/replica/fetch.ts";
import type { HttpTransport } from "../../../sync/replica/transport.ts";

/** A till's line to the page's server. */
interface Line {
	readonly transport: HttpTransport;
	/** Asks for the shop that a new till joins, while its database is still being made. */
	askAhead(): void;
}

export function openLine(businessId: string): Line {
	const transport = fetchTransport({
		baseUrl: location.origin,
		businessId,
		// The browser sends the signed-in member's cookie.
		token: () => undefined,
	});
	const ask = async (cursor: string, part: number) =>
		transport.snapshot?.(cursor, part);
	let ahead: ReturnType<typeof ask> | undefined;
	return {
		transport: {
			...transport,
			snapshot(cursor, part) {
				const asked = cursor === "" && part === 0 ? ahead : undefined;
				ahead = undefined;
				return asked ?? ask(cursor, part);
			},
		},
		askAhead() {
			ahead = ask("", 0);
			// A failure is thrown where the answer is needed.
			ahead.catch(() => {});
		},
	};
}
