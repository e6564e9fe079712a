import { expect, test } from "vitest";
import { backoffMs, pausedMs, retryAfterMs } from "./backoff.ts";

/** Random bytes that are all equal. */
const envOf = (byte: number) => ({
	randomBytes: (n: number) => Buffer.alloc(n, byte),
});
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 50, 5_000];
const secondsOf = (wait: typeof backoffMs, byte: number) =>
	attempts.map((n) => wait(n, envOf(byte)) / 1_000);

test("a till waits a second after a failure, then twice as long each time, up to a minute [SYNC-2]", () => {
	expect(secondsOf(backoffMs, 0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});

test("a paused till waits a minute before its next attempt, then up to ten [SYNC-4]", () => {
	expect(secondsOf(pausedMs, 0)).toEqual([
		60, 120, 240, 480, 600, 600, 600, 600, 600, 600,
	]);
});

test("tills that fail together try again at different moments in the second half of their wait [SYNC-2]", () => {
	expect(backoffMs(1, envOf(128))).toBe(750);
	expect(backoffMs(1, envOf(255))).toBe(1_000 * (257 / 512));
	expect(pausedMs(1, envOf(255))).toBe(60_000 * (257 / 512));
});

test("a wait that the server names is capped at a minute, never shortened, and stretched by up to half [SYNC-3]", () => {
	expect(retryAfterMs(10_000, envOf(0))).toBe(10_000);
	expect(retryAfterMs(10_000, envOf(128))).toBe(12_500);
	expect(retryAfterMs(10_000, envOf(255))).toBe(10_000 * (767 / 512));
	expect(retryAfterMs(86_400_000, envOf(0))).toBe(60_000);
	expect(retryAfterMs(0, envOf(255))).toBe(0);
});
