import { expect, test } from "vitest";
import { judgeBurst, type Keystroke, type Target } from "./scan-burst.ts";

/** Judges a code typed with these gaps between keys; the last gap repeats to the end. */
function judge(code: string, gaps: readonly number[], target: Target) {
	let at = 1_000;
	const gapAfter = (i: number) => gaps[i] ?? gaps.at(-1) ?? 0;
	const keys: Keystroke[] = [...code].map((letter, i) => {
		if (i > 0) at += gapAfter(i - 1);
		return { letter, at };
	});
	return judgeBurst(keys, at + gapAfter(code.length - 1), target);
}

const milk = "6001087340014";

test.each([5, 20, 30, 40, 50, 60, 100, 120])(
	"a barcode at %i ms per key is a scan in any field",
	(gap) => {
		for (const target of ["none", "text", "number"] as const) {
			expect(judge(milk, [gap], target)).toBe("scan");
			// A jitter of a few milliseconds, like that of a wireless scanner.
			const jitter = [gap, gap + 8, gap - 4, gap + 3, gap - 2, gap + 6, gap];
			expect(judge(milk, jitter, target)).toBe("scan");
		}
	},
);

test("a barcode that a wireless scanner sends in groups of keys is a scan", () => {
	expect(judge(milk, [0, 0, 90, 0, 0, 90, 0, 0, 90, 0, 0, 0, 90], "text")).toBe(
		"scan",
	);
});

/** Gaps of fast typists, in milliseconds. */
const typing = [
	[92, 131, 78, 110, 64, 137, 101, 88, 125, 70, 119, 95, 140],
	[61, 104, 55, 98, 130, 72, 88, 49, 115, 67, 120, 58, 90],
];

test("a fast typist is never taken for a scanner", () => {
	for (const gaps of typing) {
		for (const words of ["milk", "sugar 1kg", "brown bread", milk])
			expect(judge(words, gaps, "text")).toBe("typed");
		for (const amount of ["1500", "12.50", "20000000"])
			expect(judge(amount, gaps, "number")).toBe("typed");
	}
	// Even evenly typed, an amount stays an amount; a word is a scan only if it is a known code.
	expect(judge("1500", [100], "number")).toBe("typed");
	expect(judge("milk", [100], "text")).toBe("maybe");
});

test("letters in a number field can only come from a scanner", () => {
	expect(judge("SUGAR-1", [100], "number")).toBe("scan");
	expect(judge("SUGAR-1", typing[0] as number[], "number")).toBe("maybe");
});

test("text too short for a code counts as typed", () => {
	for (const target of ["none", "text", "number"] as const)
		expect(judge("123", [5], target)).toBe("typed");
});
