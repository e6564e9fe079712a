import * as z from "zod";
import { type CashCategory, cashCategories } from "./cash-categories.ts";
import { percent, sumOfFacts, text } from "./fields.ts";
import { sumByTax, type TaxedAmount } from "./tax-amount.ts";

/** One fact that moved money during a shift, or opened its drawer. Amounts are in millionths. */
export interface ShiftFact {
	id: string;
	kind:
		| "sale"
		| "refund"
		| "void"
		| "collection"
		| "cash"
		| "drawer"
		| "removal"
		| "supplier";
	/** Of a sale or refund. */
	total: number;
	/** Of what was sold; negative of goods that came back to stock. */
	cost: number;
	/** What discounts took off a sale. */
	discount: number;
	/** What cash rounding cost the shop: positive on a sale is what it forgave. */
	rounding: number;
	receiptNumber: string | null;
	category: CashCategory | null;
	/** True of money for a supplier who is named: it changes what the shop owes. Absent of anything else. */
	isOwed?: boolean;
	/** The tax that it includes by class; negative of what came back. */
	taxes: readonly TaxedAmount[];
	/** What the shop got by each method; negative is what it gave. With CREDIT, what customers owe more. */
	entries: { method: string; amount: number }[];
	/** True if payments tell the entries, and not a row that names no customer. */
	isBeside: boolean;
	userId: string | null;
	shiftId: string | null;
}

const counted = z.object({ count: z.int(), total: sumOfFacts });

/** What a shift's facts add up to. */
export const shiftFigures = z
	.object({
		facts: z.int(),
		sales: counted,
		refunds: counted,
		voids: counted,
		discounts: sumOfFacts,
		rounding: sumOfFacts,
		/** What came in by each method: for sales, less refunds and voids, by customers who paid debts, and by cash in and out. */
		methods: z.array(
			z.object({
				method: text(500),
				sold: sumOfFacts,
				givenBack: sumOfFacts,
				collected: sumOfFacts,
				moved: sumOfFacts,
			}),
		),
		/** Cash that was put in, and negative amounts that were taken out. */
		moves: z.array(
			z.object({
				category: z.enum(cashCategories),
				count: z.int(),
				amount: sumOfFacts,
			}),
		),
		/** How often the drawer was opened without a sale. */
		drawerOpenings: z.int(),
		/** How often lines were taken out of a sale before it was paid. Absent if never. */
		removals: z.int().optional(),
		firstReceipt: text(32).nullable(),
		lastReceipt: text(32).nullable(),
		/** What was sold less what came back, by tax class and rate in percent. Absent without tax. */
		taxes: z
			.array(
				z.object({
					taxClass: text(32),
					taxRate: percent,
					net: sumOfFacts,
					tax: sumOfFacts,
				}),
			)
			.optional(),
	})
	.meta({ id: "ShiftFigures" });
export type ShiftFigures = z.output<typeof shiftFigures>;
type MethodSums = ShiftFigures["methods"][number];

/** Adds up facts, in an order that depends on nothing but them. */
export function figuresOf(facts: readonly ShiftFact[]): ShiftFigures {
	const methods = new Map<string, MethodSums>();
	const moves = new Map<CashCategory, { count: number; amount: number }>();
	const receipts: string[] = [];
	const taxed = facts.flatMap(({ taxes }) => taxes);
	let drawerOpenings = 0;
	let removals = 0;
	const sums = {
		sales: { count: 0, total: 0 },
		refunds: { count: 0, total: 0 },
		voids: { count: 0, total: 0 },
		...{ discounts: 0, rounding: 0 },
	};
	for (const { kind, total, entries, ...fact } of facts) {
		sums.discounts += fact.discount;
		sums.rounding += kind === "sale" ? fact.rounding : -fact.rounding;
		if (fact.receiptNumber !== null) receipts.push(fact.receiptNumber);
		if (kind === "drawer") drawerOpenings += 1;
		if (kind === "removal") removals += 1;
		const group =
			kind === "sale" || kind === "refund" || kind === "void"
				? sums[`${kind}s` as const]
				: undefined;
		if (group) {
			group.count += 1;
			group.total += total;
		}
		for (const { method, amount } of entries) {
			const by = methods.get(method) ?? {
				...{ method, sold: 0, givenBack: 0, collected: 0, moved: 0 },
			};
			methods.set(method, by);
			if (kind === "sale") by.sold += amount;
			else if (kind === "refund" || kind === "void") by.givenBack -= amount;
			else if (kind === "collection") by.collected += amount;
			else by.moved += amount;
		}
		if (fact.category !== null) {
			const sum = moves.get(fact.category) ?? { count: 0, amount: 0 };
			sum.count += 1;
			for (const { amount } of entries) sum.amount += amount;
			moves.set(fact.category, sum);
		}
	}
	receipts.sort();
	// In the schema's order, so that equal figures are equal texts.
	return {
		facts: facts.length,
		...sums,
		methods: [...methods.values()].sort((a, b) =>
			a.method < b.method ? -1 : 1,
		),
		moves: cashCategories.flatMap((category) => {
			const sum = moves.get(category);
			return sum ? [{ category, ...sum }] : [];
		}),
		drawerOpenings,
		...(removals > 0 && { removals }),
		firstReceipt: receipts[0] ?? null,
		lastReceipt: receipts.at(-1) ?? null,
		...(taxed.length > 0 && {
			taxes: sumByTax(taxed).map(({ taxClass, taxRate, net, tax }) => ({
				...{ taxClass: taxClass ?? "", taxRate: taxRate ?? 0, net, tax },
			})),
		}),
	};
}

/** What should be there by each method that can be counted, in millionths; cash with the float. */
export function expectedOf(
	openingFloat: number,
	{ methods }: ShiftFigures,
): Map<string, number> {
	const expected = new Map([["CASH", openingFloat]]);
	for (const { method, sold, givenBack, collected, moved } of methods)
		if (method !== "CREDIT")
			expected.set(
				method,
				(expected.get(method) ?? 0) + sold - givenBack + collected + moved,
			);
	return expected;
}
