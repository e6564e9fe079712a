import { describe, expect, test } from "vitest";
import type { ShiftDetail } from "../queries/shift.ts";
import { toText } from "./receipt-text.ts";
import { toDayDocument, toShiftDocument } from "./shift-document.ts";
import { receiptLanguages } from "./words/index.ts";

const detail: ShiftDetail = {
	business: {
		...{ name: "Duka la Njeri", header: null, footer: null },
		currency: "KES",
	},
	shift: {
		...{ id: "h", drawerId: "till", openingFloat: 500 },
		businessDay: "2026-11-20",
		...{ openedAt: "2026-11-20T05:00:00.000Z", openedBy: "Njeri" },
		openedLocal: "2026-11-20 08:00",
		...{ closedAt: "2026-11-20T15:00:00.000Z", closedBy: "Wanjiru" },
		...{ closedLocal: "2026-11-20 18:00", compared: null, difference: -10 },
	},
	figures: {
		facts: 5,
		sales: { count: 3, total: 1_449 },
		refunds: { count: 1, total: 100 },
		voids: { count: 0, total: 0 },
		...{ discounts: 50, rounding: 0 },
		methods: [
			{
				...{ method: "CASH", sold: 749, givenBack: 100 },
				...{ collected: 200, moved: -150 },
			},
			{
				...{ method: "MPESA", sold: 700, givenBack: 0 },
				...{ collected: 0, moved: 0 },
			},
		],
		moves: [{ category: "expense", count: 1, amount: -150 }],
		drawerOpenings: 1,
		...{ firstReceipt: "A-000001", lastReceipt: "A-000003" },
	},
	count: {
		...{ id: "z", countedAt: "2026-11-20T15:00:00.000Z", countedBy: "Wanjiru" },
		compared: [
			{ method: "CASH", expected: 1_199, counted: 1_189 },
			{ method: "MPESA", expected: 700, counted: null },
		],
		...{ pieces: null, leftInDrawer: 500, reason: "Wrong change" },
	},
	late: [
		{
			...{ id: "s", kind: "sale", receiptNumber: "A-000004" },
			entries: [{ method: "CASH", amount: 60 }],
		},
	],
	missing: 0,
	recounts: [],
};

test.each(receiptLanguages)(
	"a day's report in %s looks as it did",
	async (language) => {
		const { business, shift, figures } = detail;
		if (!figures) throw new Error("No figures");
		const open = { closedAt: null, closedLocal: null, difference: null };
		const document = toDayDocument(
			{
				...{ business, figures, day: "2026-11-20", drawerId: null },
				shifts: [shift, { ...shift, ...open, openedLocal: "2026-11-20 09:30" }],
				compared: [
					{ method: "CASH", expected: 1_199, counted: 1_189, uncounted: 0 },
					{ method: "MPESA", expected: 0, counted: 0, uncounted: 700 },
				],
				...{ difference: -10, late: 1 },
			},
			language,
		);
		await expect(toText(document, 42)).toMatchFileSnapshot(
			`golden/shift-day.${language}.txt`,
		);
	},
);

describe("a shift's report", () => {
	test.each(receiptLanguages)(
		"a Z report in %s looks as it did",
		async (language) => {
			const text = toText(toShiftDocument(detail, { language }), 42);
			await expect(text).toMatchFileSnapshot(`golden/shift.${language}.txt`);
		},
	);

	test("an open shift shows no figure, unless its reader may see what it adds up to", () => {
		const open = {
			...detail,
			shift: { ...detail.shift, closedAt: null, closedLocal: null },
			...{ figures: null, count: null, late: [] },
		};
		expect(toText(toShiftDocument(open), 42)).not.toMatch(/Expected|Sales/);
		const sums = {
			figures: detail.figures as NonNullable<ShiftDetail["figures"]>,
			expected: [{ method: "CASH", amount: 1_199 }],
		};
		const text = toText(toShiftDocument(open, { sums }), 42);
		expect(text).toContain("(X)");
		expect(text).toMatch(/Sales \(3\) +1,449/);
		expect(text).toMatch(/Expected, Cash +1,199/);
	});
});
