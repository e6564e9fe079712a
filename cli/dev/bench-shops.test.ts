import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { benchShops } from "./bench-shops.ts";

const test = oneIn(6);

test("the benchmark of many shops runs through, and each sale is heard", async () => {
	const figures = await benchShops({
		stages: [2, 4],
		seconds: 1,
		saleEveryMs: 500,
	});
	const of = (what: string) =>
		figures.find((figure) => figure.what === what)?.value;
	expect([of("2 shops: failed"), of("4 shops: failed")]).toEqual([0, 0]);
	expect(of("4 shops: sales")).toBe(8);
	for (const { what, value } of figures)
		expect([what, Number.isFinite(value)]).toEqual([what, true]);
});
