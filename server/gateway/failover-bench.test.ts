import { expect, vi } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { openFailoverBench } from "./testing/failover-bench.ts";

const test = oneIn(3);

const passes = (verdicts: object) =>
	Object.fromEntries(Object.keys(verdicts).map((id) => [id, "pass"]));

test("all 16 faults of Failover Bench pass with default settings", async () => {
	// A tenth of the time, the settings' too.
	const bench = await openFailoverBench(100);
	const verdicts = await bench.run();
	expect(Object.keys(verdicts)).toHaveLength(15);
	expect(verdicts).toEqual(passes(verdicts));

	let ahead = 0;
	const real = performance.now.bind(performance);
	const clock = vi
		.spyOn(performance, "now")
		.mockImplementation(() => real() + ahead);
	const dice = vi.spyOn(Math, "random").mockReturnValue(0);
	const { answered, backSeconds } = await bench.flap(
		() => performance.now(),
		async (ms) => {
			ahead += Math.max(0, ms);
		},
	);
	clock.mockRestore();
	dice.mockRestore();
	expect(answered).toBe(20);
	expect(backSeconds).toBeLessThan(30);
});
