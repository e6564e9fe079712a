import { expect, test } from "vitest";
import { killSpending } from "./testing/killed-ledger.ts";

test("a server that is killed 400 times never lets a budget be overspent", async () => {
	expect(await killSpending(400)).toBeGreaterThan(0.2);
});
