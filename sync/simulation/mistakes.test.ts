import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampled } from "../testing/lane.ts";
import { expectNoticed, seedsMax } from "../testing/noticed.ts";
import { storeKind } from "../testing/store-kind.ts";
import { foundBugs } from "./found-bugs.ts";
import { mistakes } from "./mistakes.ts";
import { openGround } from "./run.ts";

const timeout = 600_000;

test("each mistake and each found bug can still be made: the code that it changes stands where it says", () => {
	const gone = [...mistakes, ...foundBugs].filter(({ file, find }) => {
		const code = readFileSync(join(import.meta.dirname, "..", file), "utf8");
		return code.split(find).length !== 2;
	});
	expect(gone.map(({ name }) => name)).toEqual([]);
});

test(`each mistake is noticed within ${seedsMax} seeds`, {
	timeout,
}, async () => {
	const tried = mistakes.filter(({ store }) => store === undefined);
	await expectNoticed(sampled(tried, 30), storeKind);
});

test("no bug that the simulator found is back", { timeout }, async () => {
	const ground = await openGround(storeKind);
	for (const { name, script, store = storeKind } of foundBugs) {
		if (!script || store !== storeKind) continue;
		const { violations } = await ground.run(script);
		expect({ name, violations }).toEqual({ name, violations: [] });
	}
	await ground.close();
});

test(
	"each bug that the simulator found is found again by its script",
	{
		timeout,
	},
	() => expectNoticed(sampled(foundBugs, 3), storeKind),
);
