import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTimeLimit } from "./time-limit.ts";

function open() {
	const limit = openTimeLimit(new AbortController().signal, undefined);
	let endedAt: number | undefined;
	limit.signal.addEventListener("abort", () => {
		endedAt = performance.now();
	});
	return { limit, endedAt: () => endedAt };
}

test("silence ends an answer after the time that was last allowed, however often that was moved", async () => {
	const { limit, endedAt } = open();
	limit.restart(60);
	let movedAt = 0;
	for (let i = 0; i < 5; i += 1) {
		await sleep(30);
		movedAt = performance.now();
		limit.restart(100);
	}
	expect(endedAt()).toBeUndefined();
	await expect.poll(endedAt).toBeGreaterThanOrEqual(movedAt + 100);
	expect(limit.signal.reason).toMatchObject({
		kind: "silent",
		mayBeBilled: true,
	});
});

test("a shorter time counts at once, and none passes while nobody wants more", async () => {
	const paused = open();
	paused.limit.restart(40);
	paused.limit.pause();
	const { limit, endedAt } = open();
	limit.restart(60_000);
	const movedAt = performance.now();
	limit.restart(40);
	await expect.poll(endedAt).toBeGreaterThanOrEqual(movedAt + 40);
	await sleep(60);
	expect(paused.endedAt()).toBeUndefined();
	paused.limit.restart(20);
	await expect.poll(paused.endedAt).toBeDefined();
});

test("an answer that has ended is not cut off later", async () => {
	const { limit, endedAt } = open();
	limit.restart(20);
	limit.end();
	await sleep(60);
	expect(endedAt()).toBeUndefined();
});
