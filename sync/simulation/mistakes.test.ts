import { test } from "vitest";
import { sampled } from "../testing/lane.ts";
import { expectNoticed, seedsMax } from "../testing/noticed.ts";
import { storeKind } from "../testing/store-kind.ts";
import { foundBugs } from "./found-bugs.ts";
import { mistakes } from "./mistakes.ts";

const timeout = 600_000;

test(`each mistake is noticed within ${seedsMax} seeds`, {
	timeout,
}, async () => {
	const tried = mistakes.filter(({ store }) => store === undefined);
	await expectNoticed(sampled(tried, 6), storeKind);
});

test(
	"each bug that the simulator found is found again by its script",
	{
		timeout,
	},
	() => expectNoticed(foundBugs, storeKind),
);
