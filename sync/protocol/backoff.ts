import type { Env } from "./ids.ts";

const firstBackoffMs = 1_000;
const longestBackoffMs = 60_000;
/** For a till whose session the server refuses: a sign-in mends that, or the server's own clock when it is right again. */
const firstPausedMs = 60_000;
const longestPausedMs = 600_000;
/** A server that asks for more is asked again all the same: nobody's mistake shuts a till out for a day. */
const longestNamedMs = 60_000;

type Random = Pick<Env, "randomBytes">;

/** At least what a server named, and up to half as much again: it named the same to many at one moment. */
export function leaveAloneMs(namedMs: number, env: Random): number {
	return Math.min(namedMs, longestNamedMs) * (1 + jitter(env));
}

/** Doubling, with a random half taken off at most. */
export function backoffMs(failures: number, env: Random): number {
	return doubling(firstBackoffMs, longestBackoffMs, failures, env);
}

/** The same between the attempts of a paused till. */
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

/** Up to a half, at random. */
function jitter(env: Random): number {
	const [byte] = env.randomBytes(1);
	return (byte as number) / 512;
}
