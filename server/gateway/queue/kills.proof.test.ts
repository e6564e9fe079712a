import { expect, test } from "vitest";
import { killQueueing } from "../testing/killed-queue.ts";

test("a server that is killed 1,000 times answers each queued request once, within the budget", async () => {
	const { requests, asked, given, interrupted, poor } =
		await killQueueing(1_000);
	expect(requests).toBeGreaterThan(2_000);
	expect(interrupted).toBeGreaterThan(200);
	expect(poor).toBeGreaterThan(100);
	// What a kill interrupted is asked again; of what waited for a budget, little is given up.
	expect(asked).toBeGreaterThanOrEqual(given);
	expect(given).toBeGreaterThan(0.9 * requests);
});
