/** Lifetimes in Cache-Control and in this cache. */
export const freshSeconds = 300;
export const staleSeconds = 60;

/** A host that fails is asked again after this long: each request to it may take seconds, and counts against its limit. */
const failedSeconds = 30;

/**
 * Caches a value for `freshSeconds`. For another `staleSeconds` it returns the stale value while it reloads; after that,
 * callers wait for the reload. Concurrent callers share one reload. A failure is cached for `failedSeconds`.
 */
export function staleWhileRevalidate<T>(
	load: () => Promise<T>,
	now: () => number,
): () => Promise<T> {
	let kept: { value: T; at: number } | undefined;
	let failed: { error: unknown; at: number } | undefined;
	let loading: Promise<T> | undefined;

	/** Also the age of what was kept before the clock was put back. */
	const ageOf = ({ at }: { at: number }) => Math.abs(now() - at) / 1_000;

	async function reload(): Promise<T> {
		if (failed && ageOf(failed) < failedSeconds) throw failed.error;
		loading ??= load()
			.then((value) => {
				kept = { value, at: now() };
				failed = undefined;
				return value;
			})
			.catch((error) => {
				failed = { error, at: now() };
				throw error;
			})
			.finally(() => {
				loading = undefined;
			});
		return loading;
	}

	return async () => {
		const age = kept ? ageOf(kept) : Infinity;
		if (kept && age < freshSeconds) return kept.value;
		const reloading = reload();
		if (!kept || age >= freshSeconds + staleSeconds) return reloading;
		// A failed reload matters only once the value is too old; then callers get the error.
		reloading.catch(() => undefined);
		return kept.value;
	};
}
