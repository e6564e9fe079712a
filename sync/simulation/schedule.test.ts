import { expect, test } from "vitest";
import { nextTurn } from "#platform";
import { openSchedule } from "./schedule.ts";

test("a run goes on while somebody's work takes turns between its reads", async () => {
	const schedule = openSchedule(0);
	const happened: string[] = [];
	const work = async () => {
		for (let reads = 0; reads < 10; reads += 1) {
			await schedule.during(Promise.resolve());
			await nextTurn();
		}
		schedule.after(1, () => happened.push("answered"));
	};
	let working: Promise<void> | undefined;
	schedule.after(1, () => {
		happened.push("asked");
		working = work();
	});
	await schedule.run();
	await working;
	expect(happened).toEqual(["asked", "answered"]);
});
