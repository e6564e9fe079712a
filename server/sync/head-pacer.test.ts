import { expect, test } from "vitest";
import { openHeadNotifier } from "../../sync/feed/head-notifier.ts";
import { openHeadPacer } from "./head-pacer.ts";

/** Listeners of one business, which record when they were notified. */
function openListeners(count: number) {
	const heads = openHeadNotifier();
	const pacer = openHeadPacer({ onHead: heads.listen });
	const heard: { who: number; at: number }[] = [];
	const forget = Array.from({ length: count }, (_, who) =>
		pacer.listen("shop", () => heard.push({ who, at: performance.now() })),
	);
	let head = 0;
	const move = () => {
		head += 1;
		heads.notify("shop", head);
	};
	return { pacer, heads, heard, forget, move };
}

test("a few listeners are notified of a head move at once", async () => {
	const { heard, move } = openListeners(5);
	move();
	await new Promise((resolve) => setImmediate(resolve));
	expect(heard.map(({ who }) => who)).toEqual([0, 1, 2, 3, 4]);
});

test("many listeners are notified in batches, each once for all moves before [HEAD-3]", async () => {
	const { heard, move } = openListeners(40);
	for (let i = 0; i < 10; i += 1) move();
	await expect.poll(() => heard.length).toBe(40);
	expect(new Set(heard.map(({ who }) => who)).size).toBe(40);
	const first = heard[0]?.at ?? 0;
	const last = heard.at(-1)?.at ?? 0;
	// Seven pauses of 20 ms separate the batches; timers may fire slightly early.
	expect(last - first).toBeGreaterThan(7 * 19 - 1);
});

test("a listener that was notified goes behind those that were not", async () => {
	const { heard, move } = openListeners(12);
	move();
	await expect.poll(() => heard.length).toBeGreaterThanOrEqual(5);
	const already = heard.length;
	move();
	await expect.poll(() => heard.length).toBe(12 + already);
	expect(heard.slice(0, 12).map(({ who }) => who)).toEqual(
		Array.from({ length: 12 }, (_, who) => who),
	);
});

test("a listener is not notified of another business, nor after it has left", async () => {
	const { pacer, heads, heard, forget, move } = openListeners(10);
	let others = 0;
	pacer.listen("other", () => {
		others += 1;
	});
	heads.notify("other", 1);
	move();
	forget[9]?.();
	await expect.poll(() => heard.length).toBe(9);
	await expect.poll(() => others).toBe(1);
	move();
	await expect.poll(() => heard.length).toBe(18);
	expect(heard.filter(({ who }) => who === 9)).toEqual([]);
});
