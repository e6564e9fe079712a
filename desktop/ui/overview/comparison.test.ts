import { expect, test } from "vitest";
import { comparisonOf } from "./comparison.ts";

test.each([
	[104, { word: "letter.tookUsual" }],
	[150, { word: "letter.tookMore", share: 0.5 }],
	[50, { word: "letter.tookLess", share: 0.5 }],
	[-50, { word: "letter.tookLess", share: 1.5 }],
	[2_546, { word: "letter.tookTimes", times: 25.46 }],
])("takings of %d beside a usual 100 are put into words", (revenue, put) => {
	expect(comparisonOf(revenue, 100)).toEqual(put);
});
