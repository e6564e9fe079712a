import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTimeLimit } from "./time-limit.ts";

function open() {
	const limit = openTimeLimit(new AbortController().signal, undefined);
	const begun = performance.now();
	let endedAfterMs: number | undefined;
	limit.signal.addEventListener("abort", () => {
		endedAfterMs = performance.now() - begun;
	});
	return { limit, endedAfterMs: () => endedAfterMs };
}

test("silence ends an answer after the time that was last allowed, however often that was moved", async () => {
	const { limit, endedAfterMs } = open();
	limit.restart(60);
	for (let i = 0; i < 5; i += 1) {
		await sleep(30);
		limit.restart(100);
	}
	expect(endedAfterMs()).toBeUndefined();
	await expect.poll(endedAfterMs).toBeGreaterThanOrEqual(250);
	expect(limit.signal.reason).toMatchObject({
		kind: "silent",
		mayBeBilled: true,
	});
});

test("a shorter time counts at once, and none passes while nobody wants more", async () => {
	const paused = open();
	paused.limit.restart(40);
	paused.limit.pause();
	const { limit, endedAfterMs } = open();
	limit.restart(60_000);
	limit.restart(40);
	await expect.poll(endedAfterMs).toBeGreaterThanOrEqual(40);
	await sleep(60);
	expect(paused.endedAfterMs()).toBeUndefined();
	paused.limit.restart(20);
	await expect.poll(paused.endedAfterMs).toBeDefined();
});

test("an answer that has ended is not cut off later", async () => {
	const { limit, endedAfterMs } = open();
	limit.restart(20);
	limit.end();
	await sleep(60);
	expect(endedAfterMs()).toBeUndefined();
});
