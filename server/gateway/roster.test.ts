import { expect, test } from "vitest";
import { openRoster } from "./roster.ts";

test("members leave a roster in any order, each once, and others stay", () => {
	const roster = openRoster<string>();
	const [leaveA, leaveB, leaveC] = ["a", "b", "c"].map(roster.add);
	leaveA?.();
	expect(roster.all().sort()).toEqual(["b", "c"]);
	const leaveD = roster.add("d");
	leaveC?.();
	leaveC?.();
	leaveA?.();
	expect(roster.all().sort()).toEqual(["b", "d"]);
	leaveD();
	leaveB?.();
	expect(roster.all()).toEqual([]);
	roster.add("e");
	leaveB?.();
	expect(roster.all()).toEqual(["e"]);
});
