import { plus } from "../entities/money.ts";
import type { ShiftDetail, ShiftSums } from "../queries/shift.ts";
import type { ShiftDay } from "../queries/shift-day.ts";
import {
	letterhead,
	methodName,
	paragraph,
	type ReceiptBlock,
	type ReceiptDocument,
} from "./receipt-document.ts";
import { formatsFor } from "./receipt-formats.ts";
import {
	type ReceiptLanguage,
	type ReceiptWords,
	receiptLanguageOf,
	receiptWords,
} from "./words/index.ts";

interface ShiftOptions {
	language?: ReceiptLanguage | undefined;
	/** Of an open shift: what it adds up to so far, where the reader may see it. */
	sums?: ShiftSums | undefined;
}

/** How a report writes its rows. */
interface Style {
	words: ReceiptWords;
	say: ReceiptWords["shift"];
	money(amount: number): string;
	quantity(count: number): string;
	momentOf(localTime: string): string;
}

const rule: ReceiptBlock = { kind: "rule" };
const pair = (label: string, value: string): ReceiptBlock => ({
	...{ kind: "pair", label, value },
});

/** Writes a shift's report in the blocks of a receipt: the Z of one that was counted, or the X of an open one. */
export function toShiftDocument(
	detail: ShiftDetail,
	{
		language = receiptLanguageOf(detail.business.language),
		sums,
	}: ShiftOptions = {},
): ReceiptDocument {
	const { business, shift, count, missing, recounts } = detail;
	const words = receiptWords[language];
	const figures = detail.figures ?? sums?.figures;
	const formats = formatsFor(words.locale, {
		currency: business.currency,
		amounts: amountsOf(detail, sums),
	});
	const style = { words, say: words.shift, ...formats };
	const { say, money, quantity, momentOf } = style;
	const title = count ? say.z : say.x;
	return {
		language,
		title: `${title} ${momentOf(shift.openedLocal)}`,
		blocks: [
			...letterhead(business),
			rule,
			...paragraph(title),
			...whenAndWho(detail, style),
			...(figures ? [rule, ...figuresOf(figures, style), rule] : [rule]),
			pair(say.float, money(shift.openingFloat)),
			...(sums?.expected ?? []).map(({ method, amount }) =>
				pair(`${say.expected}, ${methodName(method, words)}`, money(amount)),
			),
			...(count ? countOf(count, style) : []),
			...lateOf(detail, style),
			...(missing > 0 ? [pair(say.missing, quantity(missing))] : []),
			...recounts.flatMap((recount) => [
				rule,
				...paragraph(
					[say.recount, recount.countedBy].filter(Boolean).join(" "),
				),
				...countOf(recount, style),
			]),
			{ kind: "tear" },
		],
	};
}

/** Writes a day's report over the shifts of all tills, or of one, in the blocks of a receipt. */
export function toDayDocument(
	report: ShiftDay,
	language: ReceiptLanguage = receiptLanguageOf(report.business.language),
): ReceiptDocument {
	const { business, day, drawerId, shifts, figures, compared, late } = report;
	const words = receiptWords[language];
	const formats = formatsFor(words.locale, {
		currency: business.currency,
		amounts: [
			...amountsOfFigures(figures),
			...compared.flatMap(({ expected, counted, uncounted }) => [
				...[expected, counted, uncounted],
			]),
			...shifts.map(({ difference }) => difference ?? 0),
		],
	});
	const style = { words, say: words.shift, ...formats };
	const { say, quantity } = style;
	const when = formats.dayOf(`${day} 00:00`);
	return {
		language,
		title: `${say.day} ${when}`,
		blocks: [
			...letterhead(business),
			rule,
			...paragraph(`${say.day} ${when}`),
			...paragraph(drawerId === null ? say.allTills : null),
			...shifts.map((one) => shiftRow(one, style)),
			rule,
			// Each till numbers its own receipts.
			...figuresOf({ ...figures, firstReceipt: null }, style),
			rule,
			...compared.flatMap((sums) => comparedRows(sums, style)),
			...(late > 0 ? [pair(say.late, quantity(late))] : []),
			{ kind: "tear" },
		],
	};
}

/** A shift of a day, with what its count lacked or had over. */
function shiftRow(
	{
		openedLocal,
		closedLocal,
		openedBy,
		difference,
	}: ShiftDay["shifts"][number],
	{ say, money }: Style,
): ReceiptBlock {
	const times = [openedLocal, closedLocal]
		.filter((time) => time !== null)
		.map((time) => time.slice(11));
	return pair(
		[times.join(" – "), openedBy].filter(Boolean).join(" "),
		difference === null ? say.stillOpen : money(difference),
	);
}

function comparedRows(
	{ method, expected, counted, uncounted }: ShiftDay["compared"][number],
	{ words, say, money }: Style,
): ReceiptBlock[] {
	const name = methodName(method, words);
	const difference = plus(counted, -expected);
	return [
		...(expected === 0 && counted === 0
			? []
			: [
					pair(`${say.expected}, ${name}`, money(expected)),
					pair(`${say.counted}, ${name}`, money(counted)),
				]),
		...totalOf(difference, { say, money }),
		...(uncounted === 0
			? []
			: [pair(`${say.uncounted}, ${name}`, money(uncounted))]),
	];
}

function totalOf(
	difference: number,
	{ say, money }: Pick<Style, "say" | "money">,
): ReceiptBlock[] {
	if (difference === 0) return [];
	return [
		{
			kind: "total",
			label: difference < 0 ? say.short : say.over,
			value: money(Math.abs(difference)),
		},
	];
}

function whenAndWho(
	{ shift }: ShiftDetail,
	{ say, momentOf }: Style,
): ReceiptBlock[] {
	const { openedLocal, closedLocal, openedBy, closedBy } = shift;
	const names = new Set([openedBy, closedBy].filter((name) => name !== null));
	return [
		pair(say.opened, momentOf(openedLocal)),
		...(closedLocal === null ? [] : [pair(say.closed, momentOf(closedLocal))]),
		...(names.size > 0 ? [pair(say.by, [...names].join(", "))] : []),
	];
}

function figuresOf(
	{ methods, moves, ...figures }: ShiftSums["figures"],
	{ words, say, money, quantity }: Style,
): ReceiptBlock[] {
	const { firstReceipt, lastReceipt, drawerOpenings } = figures;
	const { removals = 0 } = figures;
	const amount = (label: string, value: number) =>
		value === 0 ? [] : [pair(label, money(value))];
	const counted = (
		label: string,
		{ count, total }: { count: number; total: number },
	) =>
		count === 0 ? [] : [pair(`${label} (${quantity(count)})`, money(total))];
	const receipts = new Set([firstReceipt, lastReceipt]);
	return [
		...(firstReceipt === null
			? []
			: [pair(say.receipts, [...receipts].join(" – "))]),
		...counted(say.sales, figures.sales),
		...amount(say.discounts, figures.discounts),
		...counted(say.refunds, figures.refunds),
		...counted(say.voids, figures.voids),
		...amount(say.rounding, figures.rounding),
		...methods.flatMap(({ method, sold, givenBack, collected }) => {
			const name = methodName(method, words);
			return [
				...amount(`${say.sales}, ${name}`, sold),
				...amount(`${say.givenBack}, ${name}`, -givenBack),
				...(method === "CREDIT"
					? []
					: amount(`${say.collected}, ${name}`, collected)),
			];
		}),
		...(figures.taxes ?? []).map(({ taxClass, taxRate, net, tax }) =>
			pair(words.taxOf(taxClass, quantity(taxRate), money(net)), money(tax)),
		),
		...moves.flatMap(({ category, amount: moved }) =>
			amount(say.moves[category], moved),
		),
		...(drawerOpenings > 0
			? [pair(say.drawerOpenings, quantity(drawerOpenings))]
			: []),
		...(removals > 0 ? [pair(say.removals, quantity(removals))] : []),
	];
}

/** What was expected and found, and what stays. */
function countOf(
	{ compared, leftInDrawer, reason }: NonNullable<ShiftDetail["count"]>,
	{ words, say, money }: Style,
): ReceiptBlock[] {
	return [
		...compared.flatMap(({ method, expected, counted }) => {
			const name = methodName(method, words);
			const row = pair(`${say.expected}, ${name}`, money(expected));
			if (counted === null) return [row];
			const difference = plus(counted, -expected);
			return [
				row,
				pair(`${say.counted}, ${name}`, money(counted)),
				...totalOf(difference, { say, money }),
			];
		}),
		...(leftInDrawer === null ? [] : [pair(say.left, money(leftInDrawer))]),
		...paragraph(reason, "start"),
	];
}

/** What came after the count: its addendum. */
function lateOf(
	{ late }: ShiftDetail,
	{ words, say, money }: Style,
): ReceiptBlock[] {
	if (late.length === 0) return [];
	return [
		rule,
		{ kind: "mark", text: say.addendum },
		...late.flatMap(({ receiptNumber, kind, entries }) =>
			entries.map(({ method, amount }) =>
				pair(
					`${receiptNumber ?? say.kinds[kind]}, ${methodName(method, words)}`,
					money(amount),
				),
			),
		),
	];
}

function amountsOf(
	{ shift, count, late, recounts, figures }: ShiftDetail,
	sums: ShiftSums | undefined,
): number[] {
	const shown = figures ?? sums?.figures;
	return [
		shift.openingFloat,
		...[count, ...recounts].flatMap((one) =>
			one
				? [
						one.leftInDrawer ?? 0,
						...one.compared.flatMap(({ expected, counted }) => [
							...[expected, counted ?? 0],
						]),
					]
				: [],
		),
		...late.flatMap(({ entries }) => entries.map(({ amount }) => amount)),
		...(sums?.expected ?? []).map(({ amount }) => amount),
		...(shown ? amountsOfFigures(shown) : []),
	];
}

const amountsOfFigures = (shown: ShiftSums["figures"]) => [
	...[shown.sales.total, shown.refunds.total, shown.voids.total],
	...[shown.discounts, shown.rounding],
	...(shown.taxes ?? []).flatMap(({ net, tax }) => [net, tax]),
	...shown.moves.map(({ amount }) => amount),
	...shown.methods.flatMap(({ sold, givenBack, collected }) => [
		...[sold, givenBack, collected],
	]),
];
