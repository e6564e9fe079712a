import { expect } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { killQueueing } from "../testing/killed-queue.ts";

oneIn(6)(
	"a server that is killed at any moment answers each queued request once, within the budget",
	async () => {
		// Guards against a run that tries nothing.
		expect((await killQueueing(3)).given).toBeGreaterThan(0);
	},
);
