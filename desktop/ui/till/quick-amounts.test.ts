import { expect, test } from "vitest";
import { cashOf } from "../../../sync/entities/currency.ts";
import { quickAmounts } from "./quick-amounts.ts";

test.each([
	["KES", 337, [337, 340, 350, 400, 500, 1_000]],
	["KES", 65, [65, 70, 80, 100, 200, 500]],
	["TZS", 12_350, [12_350, 12_400, 12_500, 13_000, 14_000, 15_000]],
	["USD", 7.35, [7.35, 7.4, 7.5, 8, 10, 20]],
])(
	"in %s a customer who owes %d may hand over %j",
	(currency, due, amounts) => {
		expect(quickAmounts(due, cashOf(currency).pieces)).toEqual(amounts);
	},
);
