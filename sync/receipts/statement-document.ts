import type { Statement } from "../queries/statement.ts";
import {
	letterhead,
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

/** Writes a statement of a customer's account, in the blocks of a receipt. */
export function toStatement(
	{ business, customer, localTime, before, entries, balance }: Statement,
	language: ReceiptLanguage = receiptLanguageOf(business.language),
): ReceiptDocument {
	const words = receiptWords[language];
	const { money, momentOf, dayOf } = formatsFor(words.locale, {
		currency: business.currency,
		amounts: [before, balance, ...entries.map(({ amount }) => amount)],
	});
	const rule: ReceiptBlock = { kind: "rule" };
	const pair = (label: string, value: string): ReceiptBlock => ({
		...{ kind: "pair", label, value },
	});
	const title = words.statement;
	return {
		language,
		title: `${title} ${customer.name}`,
		blocks: [
			...letterhead(business),
			rule,
			...paragraph(title),
			pair(customer.name, customer.phone ?? ""),
			pair(words.asOf, momentOf(localTime)),
			rule,
			...(before === 0 ? [] : [pair(words.before, money(before))]),
			...entries.map(({ kind, localTime, amount, receiptNumber, reason }) =>
				pair(
					[
						dayOf(localTime),
						kind === "collection" && amount > 0
							? words.paidOut
							: words.entries[kind],
						receiptNumber ?? reason,
					]
						.filter(Boolean)
						.join(" "),
					money(amount),
				),
			),
			rule,
			{
				kind: "total",
				label: `${balance < 0 ? words.creditLeft : words.owed} ${business.currency}`,
				value: money(Math.abs(balance)),
			},
			...(business.footer?.trim() ? [rule, ...paragraph(business.footer)] : []),
			{ kind: "tear" },
		],
	};
}
