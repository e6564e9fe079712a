import { HttpError } from "../http/http-error.ts";
import { networkOf, siteOf } from "../http/networks.ts";

/** The time in which a full bucket drains, evenly. */
export const windowMs = 15 * 60_000;
/** The most buckets, far more than honest clients fill. */
const countsMax = 20_000;
/** An IPv6 site's limit, as a multiple of one of its networks' limits. */
const networksPerSite = 4;

/** A key to count, and the tries allowed in the window. */
export type Limit = readonly [key: string, max: number];

/** Leaky buckets, one per key. */
interface AttemptCounter {
	/** @throws HttpError 429 if one of the limits is reached */
	assertBelow(limits: readonly Limit[], message: string): void;
	add(limits: readonly Limit[], tries: number): void;
}

/** @param now a monotonic clock in milliseconds */
export function openAttemptCounter(now: () => number): AttemptCounter {
	const counts = new Map<string, { level: number; at: number }>();

	function levelOf([key, max]: Limit): number {
		const count = counts.get(key);
		if (!count) return 0;
		return Math.max(0, count.level - ((now() - count.at) * max) / windowMs);
	}

	return {
		assertBelow(limits, message) {
			for (const limit of limits)
				assertRoom(levelOf(limit) + 1, limit[1], message);
		},

		add(limits, tries) {
			for (const limit of limits) {
				const [key] = limit;
				const level = Math.max(0, levelOf(limit) + tries);
				counts.delete(key);
				if (level > 0) counts.set(key, { level, at: now() });
				if (counts.size > countsMax) forgetOldest(counts);
			}
		},
	};
}

/** @param level with the try that is asked for. @throws HttpError 429 above the limit */
export function assertRoom(level: number, max: number, message: string): void {
	const tooMany = level - max;
	if (tooMany <= 0) return;
	throw new HttpError(429, message, {
		code: "too_many_tries",
		retryAfterSeconds: Math.ceil((tooMany * windowMs) / max / 1_000),
	});
}

/** The limits of an address and of its whole site. */
export function limitsOf(address: string, max: number): Limit[] {
	const site = siteOf(address);
	const limits: Limit[] = [[networkOf(address), max]];
	if (site !== undefined) limits.push([site, max * networksPerSite]);
	return limits;
}

export function forgetOldest(from: Map<string, unknown> | Set<string>): void {
	const [oldest] = from.keys();
	if (oldest !== undefined) from.delete(oldest);
}
