/** Lifetimes in Cache-Control and in this cache. */
export const freshSeconds = 300;
export const staleSeconds = 60;

/**
 * Caches a value for `freshSeconds`. For another `staleSeconds` it returns the stale value while it reloads; after that,
 * callers wait for the reload. Concurrent callers share one reload. Failures are not cached.
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
		// Also the age of what was kept before the clock was put back.
		const age = kept ? Math.abs(now() - kept.at) / 1_000 : Infinity;
		if (kept && age < freshSeconds) return kept.value;
		const reloading = reload();
		if (!kept || age >= freshSeconds + staleSeconds) return reloading;
		// A failed reload matters only once the value is too old; then callers get the error.
		reloading.catch(() => undefined);
		return kept.value;
	};
}
