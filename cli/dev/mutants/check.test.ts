import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { oneIn } from "../../../sync/testing/lane.ts";
import { refusedByCheck } from "./check.ts";
import { mutantsOf } from "./operators.ts";

const test = oneIn(6);

test("the check rejects only mutants with a type error or a floating promise", () => {
	const file = "sync/replica/replica.ts";
	const all = mutantsOf(file, readFileSync(file, "utf8"));
	const [type, promise, none] = [
		/^await readState/,
		/^await tx\.run.*-> \(/,
		/^< ->/,
	].map((what) => all.find((mutant) => what.test(mutant.what)));
	if (!type || !promise || !none) throw new Error("No such mutant");
	const refused = refusedByCheck([type, promise, none]);
	expect([type, promise, none].map((mutant) => refused.has(mutant))).toEqual([
		...[true, true, false],
	]);
});
