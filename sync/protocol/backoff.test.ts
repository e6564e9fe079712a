import { expect, test } from "vitest";
import { backoffMs, leaveAloneMs, pausedMs } from "./backoff.ts";

/** Random bytes that are all the same. */
const envOf = (byte: number) => ({
	randomBytes: (n: number) => Buffer.alloc(n, byte),
});
const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 50, 5_000];
const secondsOf = (wait: typeof backoffMs, byte: number) =>
	attempts.map((n) => wait(n, envOf(byte)) / 1_000);

test("a till that fails waits a second, then twice as long each time, and a minute at most [SYNC-2]", () => {
	expect(secondsOf(backoffMs, 0)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});

test("a paused till waits a minute before it asks again, and ten at most [SYNC-4]", () => {
	expect(secondsOf(pausedMs, 0)).toEqual([
		60, 120, 240, 480, 600, 600, 600, 600, 600, 600,
	]);
});

test("tills that fail at one moment come back at different ones, in the second half of their wait [SYNC-2]", () => {
	expect(backoffMs(1, envOf(128))).toBe(750);
	expect(backoffMs(1, envOf(255))).toBe(1_000 * (257 / 512));
	expect(pausedMs(1, envOf(255))).toBe(60_000 * (257 / 512));
});

test("a named wait is never cut, spread over half as much again, and a minute at most [SYNC-3]", () => {
	expect(leaveAloneMs(10_000, envOf(0))).toBe(10_000);
	expect(leaveAloneMs(10_000, envOf(128))).toBe(12_500);
	expect(leaveAloneMs(10_000, envOf(255))).toBe(10_000 * (767 / 512));
	expect(leaveAloneMs(86_400_000, envOf(0))).toBe(60_000);
	expect(leaveAloneMs(0, envOf(255))).toBe(0);
});
