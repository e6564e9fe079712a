import { expect, test } from "vitest";
import { openAdaptiveLimit } from "./adaptive-limit.ts";

test("a limit doubles after each success, up to its maximum [SYNC-8] [OUT-7]", () => {
	const reach = openAdaptiveLimit({ first: 10, least: 5, most: 100 });
	expect(reach.count).toBe(10);
	reach.grow();
	expect(reach.count).toBe(20);
	for (let i = 0; i < 20; i += 1) reach.grow();
	expect(reach.count).toBe(100);
});

test("a limit halves after a loss and then grows slowly [SYNC-8] [OUT-7]", () => {
	const reach = openAdaptiveLimit({ first: 100, least: 5, most: 100 });
	reach.shrink(80);
	expect(reach.count).toBe(40);
	reach.grow();
	expect(reach.count).toBe(44);
	for (let i = 0; i < 20; i += 1) reach.shrink(reach.count);
	expect(reach.count).toBe(5);
	reach.grow();
	expect(reach.count).toBe(6);
});
