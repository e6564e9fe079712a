import { describe, expect, test } from "vitest";
import { checkDigitOf } from "./gtin.ts";
import { readScaleLabel, type ScaleLabel, scaleLabel } from "./scale-label.ts";

const weight: ScaleLabel = {
	...{ prefix: "21", holds: "weight", itemDigits: 5 },
	...{ hasValueCheck: false, decimals: 3 },
};
const price: ScaleLabel = {
	...weight,
	prefix: "22",
	holds: "price",
	decimals: 2,
};
const ean = (digits: string) => `${digits}${checkDigitOf(digits)}`;

describe("a label of a scale", () => {
	test("a label names its product and what was weighed", () => {
		expect(readScaleLabel(ean("211234501234"), [weight, price])).toEqual({
			codes: ["2112345", "12345", ean("211234500000")],
			holds: "weight",
			value: 1.234,
		});
		expect(readScaleLabel(ean("220004202550"), [weight, price])).toEqual({
			codes: ["2200042", "00042", "42", ean("220004200000")],
			holds: "price",
			value: 25.5,
		});
	});

	test.each([
		["four digits of product, six of weight", 4, false, 3, "237777001500", 1.5],
		["six of product, four of weight", 6, false, 3, "237777771500", 1.5],
		["five and a digit that checks the value", 5, true, 2, "237777781500", 15],
		["whole shillings", 5, false, 0, "237777700150", 150],
	])("%s", (_what, itemDigits, hasValueCheck, decimals, digits, value) => {
		const label = { ...weight, prefix: "23" };
		const read = readScaleLabel(ean(digits), [
			{ ...label, itemDigits, hasValueCheck, decimals },
		]);
		expect(read).toMatchObject({ value });
		expect(read?.codes[1]).toBe("7".repeat(itemDigits));
	});

	test("a UPC of twelve digits is read like the EAN with a zero before it", () => {
		const label = { ...price, prefix: "02", hasValueCheck: true };
		const code = ean("021234560499");
		const read = { holds: "price", value: 4.99 };
		expect(readScaleLabel(code, [label])).toMatchObject(read);
		expect(readScaleLabel(code.slice(1), [label])).toMatchObject(read);
	});

	test("a misread code, another prefix and a code of another length are no labels", () => {
		const code = ean("211234501234");
		const misread = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
		for (const other of [misread, ean("241234501234"), "21123", `${code}0`, ""])
			expect(readScaleLabel(other, [weight, price])).toBeUndefined();
		expect(readScaleLabel(code, [])).toBeUndefined();
	});

	test("only the prefixes that are free for a shop can be set", () => {
		const isRead = (prefix: string) =>
			scaleLabel.safeParse({ ...weight, prefix }).success;
		expect(["02", "20", "29"].every(isRead)).toBe(true);
		expect(["19", "30", "2", "210", "60"].some(isRead)).toBe(false);
	});
});
