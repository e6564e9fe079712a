import { expect, test } from "vitest";
import { killSpending } from "./testing/killed-ledger.ts";

test("a server that is killed at any moment never lets a budget be overspent", async () => {
	// Guards against a run that tries nothing.
	expect(await killSpending(5)).toBeGreaterThan(0.2);
});
