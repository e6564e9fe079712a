import { expect, test } from "vitest";
import { pageDefault, pageMax } from "./protocol.ts";
import { openReach } from "./reach.ts";

test("an answer has twice the rows of the one before, up to what a server gives", () => {
	const reach = openReach();
	const first = reach.rows;
	expect(first).toBeLessThan(pageMax);
	reach.grow();
	expect(reach.rows).toBe(2 * first);
	for (let i = 0; i < 20; i += 1) reach.grow();
	expect(reach.rows).toBe(pageMax);
});

test("half as many are asked for after one that was lost, and few more from then on", () => {
	const reach = openReach();
	reach.grow();
	const lost = reach.rows;
	reach.shrink();
	expect(reach.rows).toBe(lost / 2);
	reach.grow();
	expect(reach.rows).toBeGreaterThan(lost / 2);
	expect(reach.rows).toBeLessThan(lost * 0.6);
	for (let i = 0; i < 20; i += 1) reach.shrink();
	expect(reach.rows).toBe(pageDefault);
});
