/** A limit on what one name may ask. */
interface Rate {
	name: string;
	perMinute: number;
}

/** Limits requests per minute; allowance returns gradually, not all at the turn of the minute. */
interface RateLimit {
	/**
	 * Takes one request from every rate, or from none.
	 *
	 * @returns the rate that refuses it the longest, or else the one that has the fewest requests left; undefined without any
	 */
	take<R extends Rate>(
		rates: readonly R[],
	):
		| { rate: R; isAllowed: boolean; remaining: number; retryAfterMs: number }
		| undefined;
}

const minuteMs = 60_000;
const namesMax = 10_000;
/** More than sums of moments with fractions are off by. */
const roundingMs = 0.001;

/** The generic cell rate algorithm: for each name it stores only the moment when its full allowance is back. */
export function openRateLimit(
	now: () => number = () => performance.now(),
): RateLimit {
	const fullAt = new Map<string, number>();
	return {
		take(rates) {
			if (rates.length === 0) return undefined;
			const at = now();
			const looks = rates.map((rate) => {
				const interval = minuteMs / rate.perMinute;
				const full = Math.max(fullAt.get(rate.name) ?? at, at);
				const next = full + interval;
				const isAllowed = next - at <= minuteMs + roundingMs;
				const used = ((isAllowed ? next : full) - at) / interval;
				return {
					...{ rate, next, isAllowed },
					// A millionth absorbs floating-point error.
					remaining: Math.max(0, Math.floor(rate.perMinute - used + 1e-6)),
					retryAfterMs: isAllowed ? 0 : Math.ceil(next - at - minuteMs),
				};
			});
			if (looks.every(({ isAllowed }) => isAllowed))
				for (const { rate, next } of looks) fullAt.set(rate.name, next);
			if (fullAt.size > namesMax)
				for (const [each, moment] of fullAt)
					if (moment <= at) fullAt.delete(each);
			const [tightest] = looks.sort(
				(a, b) => b.retryAfterMs - a.retryAfterMs || a.remaining - b.remaining,
			);
			return tightest;
		},
	};
}
