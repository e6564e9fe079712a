/** Limits a key's requests per minute; allowance returns gradually, not all at the turn of the minute. */
interface RateLimit {
	/** Takes one request. @returns the requests left, or the wait until the next if none was left */
	take(
		key: string,
		perMinute: number,
	): { isAllowed: boolean; remaining: number; retryAfterMs: number };
}

const minuteMs = 60_000;
const keysMax = 10_000;
/** More than sums of moments with fractions are off by. */
const roundingMs = 0.001;

/** The generic cell rate algorithm: for each key it stores only the moment when its full allowance is back. */
export function openRateLimit(
	now: () => number = () => performance.now(),
): RateLimit {
	const fullAt = new Map<string, number>();
	return {
		take(key, perMinute) {
			const at = now();
			const interval = minuteMs / perMinute;
			const full = Math.max(fullAt.get(key) ?? at, at);
			const next = full + interval;
			const isAllowed = next - at <= minuteMs + roundingMs;
			if (isAllowed) fullAt.set(key, next);
			if (fullAt.size > keysMax)
				for (const [each, moment] of fullAt)
					if (moment <= at) fullAt.delete(each);
			const used = ((isAllowed ? next : full) - at) / interval;
			return {
				isAllowed,
				// A millionth absorbs floating-point error.
				remaining: Math.max(0, Math.floor(perMinute - used + 1e-6)),
				retryAfterMs: isAllowed ? 0 : Math.ceil(next - at - minuteMs),
			};
		},
	};
}
