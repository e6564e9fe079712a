import { expect, test } from "vitest";
import { labelSheets, pagesOf } from "./label-sheets.ts";
import { unitPriceOf } from "./unit-price.ts";

test.each([
	["Sugar 2 kg", undefined, 300, 150, "kg"],
	["Milk 500ml", undefined, 65, 130, "l"],
	["Soda 6 x 500 ml", undefined, 330, 110, "l"],
	["Water 0,5 L x12", undefined, 240, 40, "l"],
	["Tea leaves 250 G", undefined, 99.99, 399.96, "kg"],
	["Crisps 30 g, now 33 g", undefined, 50, 1515.15, "kg"],
	["Tomatoes", "kg", 120, 120, "kg"],
	["Rope", "m", 25, 25, "m"],
	["Saffron", "g", 450, 450_000, "kg"],
	["Cloth 2 kg", "bottle", 300, 150, "kg"],
] as const)(
	"%s in %s for %d costs %d per %s",
	(name, unit, sellingPrice, price, per) => {
		expect(unitPriceOf({ name, unit, sellingPrice })).toEqual({ price, per });
	},
);

test("a pack's price is compared by all that it holds", () => {
	const soda = { name: "Soda 500 ml, Carton", sellingPrice: 1_440 };
	expect(unitPriceOf({ ...soda, packSize: 24 })).toEqual({
		...{ price: 120, per: "l" },
	});
});

test.each(["Bread", "3G modem", "Nappies size 3 x40", "Salt 0 g", "5 litres"])(
	"%s says no size",
	(name) => {
		expect(unitPriceOf({ name, sellingPrice: 50 })).toBeUndefined();
	},
);

test("labels begin after those of the first sheet that are gone, and fill further sheets", () => {
	const labels = Array.from({ length: 25 }, (_, i) => i);
	const pages = pagesOf(labels, labelSheets["3 × 8"], 2);
	expect(pages.map(({ length }) => length)).toEqual([24, 3]);
	expect(pages[0]?.slice(0, 3)).toEqual([undefined, undefined, 0]);
	expect(pagesOf([1, 2], labelSheets["50 × 30 mm"], 5)).toEqual([[1], [2]]);
	expect(pagesOf([1], labelSheets["3 × 8"], 99)[0]).toHaveLength(24);
});

test("each sheet of labels fits on its page", () => {
	for (const { page, ...one } of Object.values(labelSheets)) {
		const across = one.columns * one.width + (one.columns - 1) * one.gap;
		expect(page === "roll" || one.left + across <= 210).toBe(true);
		expect(page === "roll" || one.top + one.rows * one.height <= 297).toBe(
			true,
		);
	}
});
