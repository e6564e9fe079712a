import { expect, test } from "vitest";
import { marginOf, newPrice, type PriceRule } from "./bulk-price.ts";

test.each<[number | null, number | null, PriceRule, number | undefined]>([
	[195, 172, { base: "percent", by: 5, step: 5 }, 205],
	[195, 172, { base: "percent", by: 5, step: 0.01 }, 204.75],
	[195, 172, { base: "percent", by: -10, step: 0.01 }, 175.5],
	[195, 172, { base: "amount", by: 10, step: 0.01 }, 205],
	[8, 5, { base: "amount", by: -10, step: 0.01 }, undefined],
	[165, 171, { base: "cost", by: 15, step: 5 }, 195],
	[165, null, { base: "cost", by: 15, step: 5 }, undefined],
	[null, 171, { base: "percent", by: 5, step: 5 }, undefined],
	[null, 171, { base: "cost", by: 15, step: 0.01 }, 196.65],
	[163, 0, { base: undefined, by: 0, step: 5 }, 165],
	[162.5, 0, { base: undefined, by: 0, step: 5 }, 165],
	[1, 0, { base: "percent", by: 5, step: 5 }, 5],
	[10, 0, { base: "percent", by: -100, step: 5 }, 0],
	[0.1, 0, { base: "percent", by: 5, step: 0.01 }, 0.11],
	[1.1, 0, { base: "percent", by: 10, step: 0.01 }, 1.21],
	[999_999_999.99, 0, { base: "percent", by: 0.000001, step: 0.01 }, undefined],
	[1_000_000_000, 0, { base: "percent", by: 5, step: 5 }, undefined],
])(
	"a price of %s with a cost of %s changes by %j to %s",
	(sellingPrice, buyingPrice, rule, price) => {
		expect(newPrice({ sellingPrice, buyingPrice }, rule)).toBe(price);
	},
);

test.each([
	[165, 171, -4],
	[180, 171, 5],
	[0, 5, undefined],
	[null, 5, undefined],
	[10, null, undefined],
])("the margin of %s over %s is %s per cent", (price, cost, margin) => {
	expect(marginOf(price, cost)).toBe(margin);
});
