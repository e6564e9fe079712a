import type { Env } from "./ids.ts";

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
/** A refused session ends with a sign-in, or when the server's clock is right again, so a paused till asks rarely. */
const firstPausedMs = 60_000;
const longestPausedMs = 600_000;
/** Caps `Retry-After`: a mistake in a proxy's header must not lock a till out for a day. */
const longestRetryAfterMs = 60_000;

type Random = Pick<Env, "randomBytes">;

/**
 * Milliseconds to wait after `Retry-After`: never less than that, and up to half as much again, because the server sent
 * the same value to many tills.
 */
export function retryAfterMs(namedMs: number, env: Random): number {
	return Math.min(namedMs, longestRetryAfterMs) * (1 + jitter(env));
}

/** Milliseconds until the next attempt: doubles per failure, less a random half at most. */
export function backoffMs(failures: number, env: Random): number {
	return doubling(firstBackoffMs, longestBackoffMs, failures, env);
}

/** Milliseconds until a paused till's next attempt, computed like `backoffMs`. */
export function pausedMs(failures: number, env: Random): number {
	return doubling(firstPausedMs, longestPausedMs, failures, env);
}

function doubling(
	firstMs: number,
	longestMs: number,
	failures: number,
	env: Random,
): number {
	const ceiling = Math.min(longestMs, firstMs * 2 ** (failures - 1));
	return ceiling * (1 - jitter(env));
}

/** A random number from 0 to 0.5. */
function jitter(env: Random): number {
	const [byte] = env.randomBytes(1);
	return (byte as number) / 512;
}
