import { describe, expect, test } from "vitest";
import { openRandom } from "../simulation/random.ts";
import { countOf } from "../testing/lane.ts";
import { sumOfProducts, toDecimal, toMicros } from "./money.ts";
import {
	sumByTax,
	taxBack,
	taxedAmountOf,
	taxIn,
	withTaxAdded,
} from "./tax-amount.ts";

const rates = [0, 8, 14, 16, 18];
const tax = (gross: number, rate: number) =>
	toDecimal(taxIn(toMicros(gross), toMicros(rate)));

describe("the tax in a price", () => {
	test.each([
		[116, 16, 16],
		[100, 16, 13.79],
		[1, 16, 0.14],
		[0, 16, 0],
		[100, 0, 0],
		// 0.105 rounds away from zero.
		[1.155, 10, 0.11],
		[379, 21, 65.78],
		[1_000_000_000, 18, 152_542_372.88],
	])("of %d at %d %% is %d", (gross, rate, expected) => {
		expect(tax(gross, rate)).toBe(expected);
	});

	test("two lines of 379 at 21 % are 626.44 and 131.56 of tax, and add up to 758 [T18]", () => {
		const line = { price: toMicros(379), quantity: toMicros(1) };
		const taxRate = toMicros(21);
		const sold = { ...line, taxClass: "B", taxRate };
		const lines = [sold, sold].map((line) =>
			taxedAmountOf({ ...line, tax: taxIn(line.price, taxRate) }),
		);
		expect(sumByTax(lines)).toEqual([
			{
				...{ taxClass: "B", taxRate },
				net: toMicros(626.44),
				tax: toMicros(131.56),
				gross: toMicros(758),
			},
		]);
	});

	test("a price without tax gets the tax added, in hundredths", () => {
		const added = (net: number, rate: number) =>
			toDecimal(withTaxAdded(toMicros(net), toMicros(rate)));
		expect(added(100, 16)).toBe(116);
		expect(added(0.99, 16)).toBe(1.15);
		expect(added(33.33, 18)).toBe(39.33);
	});
});

test("net and tax add up on each line and each receipt, and refunds take back each class to the hundredth and no more", () => {
	const random = openRandom("tax");
	for (let i = 0; i < countOf("TAX_RECEIPTS"); i += 1) {
		const lines = Array.from({ length: 1 + random.below(6) }, () => {
			const price = toMicros(random.below(100_000) / 100);
			const quantity = toMicros((1 + random.below(9_999)) / 1000);
			const rate = random.pick(rates);
			const gross = sumOfProducts([{ price, quantity }]);
			const tax = taxIn(gross, toMicros(rate));
			return { price, quantity, gross, rate, tax };
		});
		for (const { gross, rate, tax } of lines) {
			// In hundredths, and the nearest to the exact part.
			expect(tax % 10_000).toBe(0);
			const exact = (BigInt(gross) * BigInt(rate)) / BigInt(100 + rate);
			expect(Math.abs(tax - Number(exact))).toBeLessThanOrEqual(5_000);
		}
		const sold = sumByTax(
			lines.map(({ rate, ...line }) =>
				taxedAmountOf({
					...line,
					...{ taxClass: `C${rate}`, taxRate: toMicros(rate) },
				}),
			),
		);
		const sum = (field: "net" | "tax" | "gross") =>
			sold.reduce((total, one) => total + one[field], 0);
		expect(sum("net") + sum("tax")).toBe(sum("gross"));
		expect(sum("gross")).toBe(
			lines.reduce((total, { gross }) => total + gross, 0),
		);
		for (const line of lines) {
			let left = line.quantity;
			let back = 0;
			while (left > 0) {
				const part = random.next() < 0.3 ? left : 1 + random.below(left);
				const rest = { quantity: left, tax: line.tax - back };
				const taken = taxBack(line, rest, part) ?? 0;
				expect(taken).toBeGreaterThanOrEqual(0);
				back += taken;
				left -= part;
				expect(back).toBeLessThanOrEqual(line.tax);
			}
			expect(back).toBe(line.tax);
		}
	}
});

test("sums by tax are in order of class and rate, and what was sold without tax comes last", () => {
	const amount = { gross: 5, tax: 1 };
	const of = (taxClass?: string, taxRate?: number) => ({
		...{ taxClass, taxRate },
		...amount,
	});
	const sums = sumByTax([
		of(),
		of("B", 16),
		of("A", 0),
		of("B", 14),
		of("B", 16),
	]);
	expect(
		sums.map(({ taxClass, taxRate, gross }) => [taxClass, taxRate, gross]),
	).toEqual([
		["A", 0, 5],
		["B", 14, 5],
		["B", 16, 10],
		[null, null, 5],
	]);
});
