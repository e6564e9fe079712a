import { expect, test } from "vitest";
import type { DepositSlip } from "../queries/layaway.ts";
import { toDepositSlip } from "./deposit-document.ts";
import { columnsByWidth, toText } from "./receipt-text.ts";
import { receiptLanguages } from "./words/index.ts";

const slip: DepositSlip = {
	business: {
		name: "Duka la Mama Njeri",
		header: "Kenyatta Ave 12, Thika",
		footer: "Asante!",
		currency: "KES",
	},
	customerName: "Mama Zawadi",
	asOf: "2026-11-22T15:42:00.000Z",
	localTime: "2026-11-22 18:42",
	state: "open",
	dueDay: "2026-12-24",
	lines: [
		{ name: "Radio", quantity: 1, price: 2_400, total: 2_400 },
		{
			...{ name: "Battery AA", quantity: 4, price: 45 },
			...{ listPrice: 50, total: 180 },
		},
	],
	total: 2_580,
	deposits: [
		{ localTime: "2026-11-20 09:10", method: "CASH", amount: 500 },
		{ localTime: "2026-11-22 18:42", method: "MPESA", amount: 300.5 },
	],
	deposited: 800.5,
	left: 1_779.5,
};

test.each(receiptLanguages)(
	"the receipt of a deposit in %s reads as approved on rolls of both widths",
	async (language) => {
		const document = toDepositSlip(slip, language);
		for (const width of [58, 80] as const) {
			const text = toText(document, columnsByWidth[width]);
			for (const line of text.split("\n"))
				expect([...line].length).toBeLessThanOrEqual(columnsByWidth[width]);
			await expect(text).toMatchFileSnapshot(
				`golden/deposit.${language}.${width}.txt`,
			);
		}
	},
);

test("goods that are no longer kept have nothing left to pay, and the receipt says why", () => {
	const ended = { ...slip, state: "cancelled", left: 0 } as const;
	const text = toText(toDepositSlip(ended, "en"), 48);
	expect(text).toContain("CANCELLED");
	expect(text).not.toMatch(/left to pay/i);
});
