import { HttpError } from "../http/http-error.ts";
import { networkOf, siteOf } from "../http/networks.ts";

/** Tries are forgotten one by one, each after its share of this time. */
const windowMs = 15 * 60_000;
/** Counts that are kept: far more than honest clients make. */
const countsMax = 20_000;
/** How many of its networks a site of IPv6 may use up. */
const networksPerSite = 4;

/** What is counted, and how often it may be tried in the window. */
export type Limit = readonly [key: string, max: number];

/** A leaky bucket for each key. */
interface Tries {
	/** @throws HttpError 429 where one limit is reached */
	assertFew(limits: readonly Limit[], message: string): void;
	add(limits: readonly Limit[], tries: number): void;
}

/** @param now in milliseconds, of a clock that never goes back */
export function openTries(now: () => number): Tries {
	const counts = new Map<string, { level: number; at: number }>();

	function levelOf([key, max]: Limit): number {
		const count = counts.get(key);
		if (!count) return 0;
		return Math.max(0, count.level - ((now() - count.at) * max) / windowMs);
	}

	return {
		assertFew(limits, message) {
			for (const limit of limits) {
				const [, max] = limit;
				const tooMany = levelOf(limit) + 1 - max;
				if (tooMany <= 0) continue;
				throw new HttpError(429, message, {
					retryAfterSeconds: Math.ceil((tooMany * windowMs) / max / 1_000),
				});
			}
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

/** What one address may do, and what all addresses of its site may. */
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
