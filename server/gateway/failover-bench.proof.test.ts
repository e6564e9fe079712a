import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFailoverBench } from "./testing/failover-bench.ts";

test("all 16 faults of Failover Bench pass with default settings, at their full times", async () => {
	const bench = await openFailoverBench(1_000);
	const verdicts = await bench.run();
	expect(Object.values(verdicts)).toEqual(Array(15).fill("pass"));
	const { answered, backSeconds } = await bench.flap(
		() => performance.now(),
		(ms) => sleep(Math.max(0, ms)),
	);
	expect(answered).toBe(20);
	expect(backSeconds).toBeLessThan(30);
});
