import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { testSeed } from "../testing/lane.ts";
import { amount, computed, quantity, signedQuantity } from "./fields.ts";
import { sumOfProducts, toDecimal, toMicros } from "./money.ts";

test.each([
	[amount, 0, 1e9],
	[quantity, 0, 1e9],
	[signedQuantity, -1e9, 1e9],
	[computed, Number.MIN_SAFE_INTEGER / 1e6, Number.MAX_SAFE_INTEGER / 1e6],
])("a decimal has a minimum and a maximum: %#", (schema, minimum, maximum) => {
	const issuesOf = (value: number) => schema.safeParse(value).error?.issues;
	expect(issuesOf(Math.ceil(minimum))).toBeUndefined();
	expect(issuesOf(Math.floor(maximum))).toBeUndefined();
	expect(issuesOf(minimum - 1)).toMatchObject([{ minimum }]);
	expect(issuesOf(maximum + 1)).toMatchObject([{ maximum }]);
});

describe("money and quantities", () => {
	test.each([
		[0.1, 100_000],
		[0.2, 200_000],
		[2.55, 2_550_000],
		[1.005, 1_005_000],
		[-1.005, -1_005_000],
		[999_999_999.999999, 999_999_999_999_999],
		[1e9, 1e15],
		[0.0000005, 1],
		[0.0000004, 0],
		[-0, 0],
	])("%d is %d millionths", (value, micros) => {
		expect(toMicros(value)).toBe(micros);
	});

	test("decimals of up to six places survive the conversion to millionths [FACT-7]", () => {
		fc.assert(
			fc.property(fc.integer({ min: -1e15, max: 1e15 }), (micros) => {
				const text = toDecimal(micros).toFixed(6);
				expect(toMicros(Number(text))).toBe(micros);
				expect(toMicros(toDecimal(micros))).toBe(micros);
			}),
			{ numRuns: 5_000, seed: testSeed },
		);
	});

	test("sums of products are exact and equal in any order [FACT-7]", () => {
		const line = fc.record({
			price: fc.integer({ min: 0, max: 1e13 }),
			quantity: fc.integer({ min: 0, max: 1e9 }),
		});
		fc.assert(
			fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
				const exact = lines.reduce(
					(sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity),
					0n,
				);
				const rounded = Number((exact + 500_000n) / 1_000_000n);
				expect(sumOfProducts(lines)).toBe(rounded);
				expect(sumOfProducts(lines.toReversed())).toBe(rounded);
			}),
			{ numRuns: 2_000, seed: testSeed },
		);
	});

	test("a sum of products is rounded once, at its end", () => {
		const third = { price: 333_333, quantity: 500_000 };
		expect(sumOfProducts([third, third])).toBe(333_333);
		expect(sumOfProducts([])).toBe(0);
	});

	test.each([
		["amount", amount, [0, 0.01, 1e9], [-0.01, 1e9 + 1]],
		["quantity", quantity, [0, 0.255, 1e9], [-1, 1e10]],
		["signed quantity", signedQuantity, [-1e9, 0, 1e9], [-1e9 - 1, 1e9 + 1]],
	])("%s fields have their bounds", (_name, schema, good, bad) => {
		for (const value of good) {
			const micros = schema.parse(value);
			expect(Number.isSafeInteger(micros)).toBe(true);
			expect(z.encode(schema, micros)).toBe(value);
		}
		const never = [
			Number.NaN,
			Number.POSITIVE_INFINITY,
			"1",
			null,
			true,
			{},
			undefined,
		];
		for (const value of [...bad, ...never])
			expect(schema.safeParse(value).success).toBe(false);
	});
});
