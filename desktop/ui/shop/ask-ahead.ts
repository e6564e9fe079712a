import type { QueryClient, QueryObserverOptions } from "@tanstack/react-query";
import { shopKey } from "./client.ts";

/**
 * Asks what a page that is still hidden will ask once it shows. The browser lays the page out first, which takes longer than
 * the answers.
 */
export function askAhead(queries: QueryClient): void {
	const named = queries.getQueryCache().findAll({ queryKey: [shopKey] });
	for (const query of named) {
		const { enabled } = query.options as QueryObserverOptions;
		// A failure is shown by what needs the answer.
		if (enabled !== false) query.fetch().catch(console.debug);
	}
}
