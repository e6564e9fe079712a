import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openPullQueue } from "./pull-queue.ts";

/** Pushes that end on request. */
function openWork() {
	const queue = openPullQueue();
	const done: string[] = [];
	const ends: (() => void)[] = [];
	return {
		queue,
		done,
		push(name: string) {
			const end = new Promise<void>((resolve) => ends.push(resolve));
			return queue.push(async () => {
				await end;
				done.push(name);
			});
		},
		read: (name: string) => queue.read(async () => void done.push(name)),
		async endOne() {
			ends.shift()?.();
			await nextTurn();
		},
	};
}

test("a read waits for the pushes in progress and for those that arrive meanwhile", async () => {
	const { queue, done, push, read, endOne } = openWork();
	expect(queue.isBusy()).toBe(false);
	const all = [push("push 1"), read("read")];
	expect(queue.isBusy()).toBe(true);
	await nextTurn();
	all.push(push("push 2"));
	expect(queue.isBusy()).toBe(true);
	await endOne();
	expect(done).toEqual(["push 1"]);
	await endOne();
	await Promise.all(all);
	expect(done).toEqual(["push 1", "push 2", "read"]);
	expect(queue.isBusy()).toBe(false);
});

test("a read waits for a limited number of pushes", async () => {
	const { done, push, read, endOne } = openWork();
	const all = Array.from({ length: 70 }, (_, i) => push(`push ${i + 1}`));
	all.push(read("read"));
	for (let i = 0; i < 70; i += 1) await endOne();
	await Promise.all(all);
	expect(done.indexOf("read")).toBe(64);
});

test("a push or a read that fails blocks no other", async () => {
	const { queue, done, read } = openWork();
	const failing = async () => {
		throw new Error("Not this one");
	};
	const failures = Promise.allSettled([
		queue.push(failing),
		queue.read(failing),
	]);
	await read("read");
	expect(done).toEqual(["read"]);
	expect(await failures).toMatchObject([
		{ reason: { message: "Not this one" } },
		{ reason: { message: "Not this one" } },
	]);
});

test("reads run one after the other, with a turn for other tasks between them", async () => {
	const { queue, done } = openWork();
	let running = 0;
	const reads = [1, 2, 3].map((n) =>
		queue.read(async () => {
			running += 1;
			await nextTurn();
			done.push(`read ${n}, ${running} at once`);
			running -= 1;
			setImmediate(() => done.push("another"));
		}),
	);
	await Promise.all(reads);
	await nextTurn();
	expect(done.filter((what) => what !== "another")).toEqual([
		"read 1, 1 at once",
		"read 2, 1 at once",
		"read 3, 1 at once",
	]);
	expect(done.indexOf("another")).toBe(1);
});
