import * as z from "zod";
import { defineEntity, defineMutation } from "./entity.ts";
import { day, percent, recordId, requiredText, timestamp } from "./fields.ts";
import { listOf } from "./sentence.ts";

/** What receipts and the authority call a class: mostly one letter. It is the class's id, so that two tills name the same. */
export const taxCode = z
	.string()
	.regex(/^[A-Z0-9]{1,8}$/, "Must be 1 to 8 capital letters or digits");

/** What some payment methods, such as those of a bank, are taxed at instead. */
export const rateByMethod = z.strictObject({
	methods: z.array(requiredText(50)).min(1).max(20),
	rate: percent,
});
const rate = z.strictObject({
	from: day,
	rate: percent,
	/** Absent where a rate doesn't depend on how a sale is paid. */
	paidBy: rateByMethod.optional(),
});
const ratesMax = 50;

export const taxRow = z
	.object({
		id: taxCode,
		businessId: recordId,
		name: requiredText(100),
		/** Zero-rated and exempt goods are sold without tax, and reported apart. */
		kind: z.enum(["standard", "reduced", "zero", "exempt"]),
		/** In percent of the price without tax, each from a day on, in order. Before the first, nothing is taxed. */
		rates: z
			.array(rate)
			.min(1)
			.max(ratesMax)
			.refine(
				(rates) =>
					rates.every(({ from }, i) => {
						const before = rates[i - 1];
						return !before || before.from < from;
					}),
				"Must be in order of their days, one a day",
			),
		createdAt: timestamp,
		updatedAt: timestamp,
	})
	.meta({ id: "Tax" });
export type Tax = z.input<typeof taxRow>;
type Rates = z.output<typeof taxRow>["rates"];

/** A class of goods that bear the same tax. */
export const tax = defineEntity({
	name: "tax",
	table: "taxes",
	row: taxRow,
	editable: true,
});

/**
 * Returns the rate that is in force on a day, for a sale that is paid by these methods. One that is paid by others too has the
 * rate of all sales.
 *
 * @returns millionths of a percent; undefined before the first
 */
export function rateOn(
	rates: Rates,
	day: string,
	methods: () => readonly string[],
): number | undefined {
	const found = rates.findLast(({ from }) => from <= day);
	const { paidBy } = found ?? {};
	return paidBy && methods().every((one) => paidBy.methods.includes(one))
		? paidBy.rate
		: found?.rate;
}

const { name, kind, rates } = taxRow.shape;

/** Adds a class, or changes its name, its kind or its rates. Sold lines keep the rate that they were sold at. */
export const taxSet = defineMutation({
	name: "tax.set",
	args: z
		.strictObject({ id: taxCode, name, kind, rates })
		.refine(
			({ kind, rates }) =>
				kind === "standard" ||
				kind === "reduced" ||
				rates.every(({ rate, paidBy }) => rate === 0 && !paidBy),
			{
				message: "Must be 0 for zero-rated and exempt goods",
				path: ["rates"],
			},
		),
	since: { "rates.paidBy": 2 },
	roles: ["OWNER"],
	sentence: ({ id, name, kind, rates }) =>
		`Set tax class ${id} to "${name}", ${kind}: ${listOf(
			rates.map(({ from, rate, paidBy }) =>
				paidBy
					? `${rate} % (${paidBy.rate} % paid by ${listOf(paidBy.methods)}) from ${from}`
					: `${rate} % from ${from}`,
			),
		)}`,
	examples: [
		{
			...{ id: "VAT", name: "VAT 16 %", kind: "standard" },
			rates: [
				{ from: "2020-04-01", rate: 14 },
				{ from: "2021-01-01", rate: 16 },
			],
		},
		{
			...{ id: "S", name: "VAT", kind: "standard" },
			rates: [
				{
					...{ from: "2025-09-01", rate: 18 },
					paidBy: { methods: ["MPESA", "CARD"], rate: 16 },
				},
			],
		},
	],
	async apply(context, { id, ...set }) {
		if (!(await context.find(tax, id)))
			await context.insert(tax, {
				...{ ...set, id },
				businessId: context.businessId,
				createdAt: context.at,
				updatedAt: context.at,
			});
		// Two tills may both have added it: of each field the later one wins.
		await context.edit(tax, id, set);
	},
});
