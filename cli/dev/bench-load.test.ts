import { expect } from "vitest";
import { oneIn } from "../../sync/testing/lane.ts";
import { benchLoad } from "./bench-load.ts";

const test = oneIn(6);

test("the load benchmark runs through and reports no lost sale", async () => {
	const figures = await benchLoad({ tills: 3, seconds: 2, offlineSales: 20 });
	const figureOf = (what: string) =>
		figures.find((figure) => figure.what === what)?.value;
	// The rate counts what is acknowledged before the last sale is made, which may be nothing.
	expect(figureOf("acknowledged, median")).toBeGreaterThan(0);
	expect(figureOf("errors")).toBe(0);
	expect(figureOf("sales missing on tills in step")).toBe(0);
	expect(figureOf("errors on return")).toBe(0);
	expect(figureOf("sales missing on tills that reached the head")).toBe(0);
	expect(
		figures.find(({ what }) => what.includes("lost or doubled"))?.value,
	).toBe(0);
	expect(figureOf("its digest differs from the server's")).toBe(0);
});
