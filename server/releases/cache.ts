/** What the endpoints promise to shared caches, and keep to themselves. */
export const freshSeconds = 300;
export const staleSeconds = 60;

/**
 * Keeps an answer for as long as it is fresh. For a while after that it is still given out while a newer one is fetched;
 * then a caller waits. Callers who wait, wait for the same fetch. A failure is kept for nobody.
 */
export function staleWhileRevalidate<T>(
	load: () => Promise<T>,
	now: () => number,
): () => Promise<T> {
	let kept: { value: T; at: number } | undefined;
	let loading: Promise<T> | undefined;

	function reload(): Promise<T> {
		loading ??= load()
			.then((value) => {
				kept = { value, at: now() };
				return value;
			})
			.finally(() => {
				loading = undefined;
			});
		return loading;
	}

	return async () => {
		const age = kept ? (now() - kept.at) / 1_000 : Number.POSITIVE_INFINITY;
		if (kept && age < freshSeconds) return kept.value;
		const reloading = reload();
		if (!kept || age >= freshSeconds + staleSeconds) return reloading;
		// Whoever asks next hears of a failure, once this answer is too old.
		reloading.catch(() => undefined);
		return kept.value;
	};
}
