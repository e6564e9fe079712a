import { expect, test } from "vitest";
import { makeScript, type Script } from "./script.ts";
import { shrink } from "./shrink.ts";

test("shrinking leaves the steps that a failure needs, at their original times", async () => {
	const script: Script = { ...makeScript(7), tills: 3 };
	const [a, b] = [script.steps[5], script.steps.at(-4)];
	const momentOf = ({ steps }: Script, seed: number | undefined) => {
		const index = steps.findIndex((step) => step.seed === seed);
		return steps.slice(0, index + 1).reduce((sum, { wait }) => sum + wait, 0);
	};
	const moment = momentOf(script, b?.seed);
	const least = await shrink(
		script,
		async (one) =>
			one.steps.some(({ seed }) => seed === a?.seed) &&
			one.steps.some(({ seed }) => seed === b?.seed) &&
			momentOf(one, b?.seed) === moment,
	);
	expect(least.steps.map(({ seed }) => seed)).toEqual([a?.seed, b?.seed]);
	expect(least.faults).toEqual({});
	expect(least.tills).toBe(1);
});

test("a script that can't be shrunk stays unchanged", async () => {
	const script = makeScript(8);
	expect(await shrink(script, async (one) => one === script)).toEqual(script);
});
