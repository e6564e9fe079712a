import type { DepositSlip } from "../queries/layaway.ts";
import {
	itemOf,
	letterhead,
	methodName,
	paragraph,
	type ReceiptBlock,
	type ReceiptDocument,
} from "./receipt-document.ts";
import { formatsFor } from "./receipt-formats.ts";
import {
	type ReceiptLanguage,
	receiptLanguageOf,
	receiptWords,
} from "./words/index.ts";

/** Writes the receipt of deposits for goods that are kept for a customer, in the blocks of a sale's. */
export function toDepositSlip(
	slip: DepositSlip,
	language: ReceiptLanguage = receiptLanguageOf(slip.business.language),
): ReceiptDocument {
	const { business, customerName, localTime, state, dueDay } = slip;
	const { lines, total, deposits, deposited, left } = slip;
	const words = receiptWords[language];
	const formats = formatsFor(words.locale, {
		currency: business.currency,
		amounts: [
			...[total, deposited, left, ...deposits.map(({ amount }) => amount)],
			...lines.flatMap(({ price, total }) => [price, total]),
		],
	});
	const { money, momentOf, dayOf } = formats;
	const rule: ReceiptBlock = { kind: "rule" };
	const pair = (label: string, value: string): ReceiptBlock => ({
		...{ kind: "pair", label, value },
	});
	const sum = (label: string, amount: number): ReceiptBlock => ({
		...{ kind: "total", value: money(amount) },
		label: `${label} ${business.currency}`,
	});
	const title = words.layaway;
	return {
		language,
		title: [title, customerName].filter(Boolean).join(" "),
		blocks: [
			...letterhead(business),
			...(state === "open"
				? []
				: [{ kind: "mark", text: words.layawayStates[state] } as const]),
			rule,
			...paragraph(title),
			pair(customerName ?? "", momentOf(localTime)),
			...(dueDay === null ? [] : [pair(words.dueBy, dayOf(dueDay))]),
			rule,
			...lines.map((line) => itemOf({ ...line, refunded: 0 }, words, formats)),
			rule,
			sum(words.total, total),
			...deposits.map(({ localTime, method, amount }) =>
				pair(`${dayOf(localTime)} ${methodName(method, words)}`, money(amount)),
			),
			pair(words.paidSoFar, money(deposited)),
			...(state === "open" ? [sum(words.leftToPay, left)] : []),
			...(business.footer?.trim() ? [rule, ...paragraph(business.footer)] : []),
			{ kind: "tear" },
		],
	};
}
