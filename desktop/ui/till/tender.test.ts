import { expect, test } from "vitest";
import { asShown, paidFor } from "./tender.ts";

test.each([
	["KES", 2, 49.7835],
	["KES", 2, 49.785],
	["KES", 2, 1.005],
	["KES", 2, 100],
	["UGX", 0, 49.5],
	["JOD", 3, 0.0005],
])(
	"an amount in %s is displayed with %i digits: %d",
	(currency, digits, sum) => {
		const format = new Intl.NumberFormat("en", { style: "currency", currency });
		const shown = format.format(sum).replace(/[^\d.]/g, "");
		expect(asShown(sum, digits)).toBe(Number(shown));
	},
);

test.each([
	["the total as it is shown pays it, to the last millionth", 49.78, 49.7835],
	["a total shown above what it is, too", 49.79, 49.785],
	["the whole total, too", 49.7835, 49.7835],
])("%s", (_, tendered, total) => {
	expect(paidFor(total, tendered, 2)).toBe(total);
});

test.each([49.77, 50])(
	"%d, which isn't the displayed total, is recorded as handed over",
	(sum) => {
		expect(paidFor(49.7835, sum, 2)).toBe(sum);
	},
);
