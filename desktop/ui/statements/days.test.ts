import { expect, test } from "vitest";
import { chooseDay, lastDays } from "./days.ts";

test("a chosen day takes the other one with it, as far as it must", () => {
	const days = lastDays("2026-11-20");
	expect(days).toEqual({ from: "2026-10-22", to: "2026-11-20" });
	for (const [chosen, expected] of [
		[{ from: "2026-11-01" }, ["2026-11-01", "2026-11-20"]],
		[{ from: "2026-12-01" }, ["2026-12-01", "2026-12-01"]],
		[{ from: "2026-01-01" }, ["2026-01-01", "2026-04-02"]],
		[{ to: "2026-11-19" }, ["2026-10-22", "2026-11-19"]],
		[{ to: "2026-10-01" }, ["2026-10-01", "2026-10-01"]],
		[{ to: "2027-03-01" }, ["2026-11-30", "2027-03-01"]],
	] as const)
		expect(Object.values(chooseDay(days, chosen))).toEqual(expected);
});
