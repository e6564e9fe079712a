import type { CashCategory } from "../../entities/cash-categories.ts";
import type { ShiftFact } from "../../entities/shift-figures.ts";
import type { DepositSlip } from "../../queries/layaway.ts";
import type { Receipt } from "../../queries/receipt.ts";
import type { Statement } from "../../queries/statement.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";
import { sw } from "./sw.ts";

/** The words of a shift's report. */
interface ShiftWords {
	/** The reports of an open shift, and of one that was counted. */
	x: string;
	z: string;
	opened: string;
	closed: string;
	by: string;
	receipts: string;
	sales: string;
	discounts: string;
	refunds: string;
	voids: string;
	rounding: string;
	givenBack: string;
	/** Debts that were paid. */
	collected: string;
	moves: Record<CashCategory, string>;
	drawerOpenings: string;
	removals: string;
	float: string;
	expected: string;
	counted: string;
	short: string;
	over: string;
	left: string;
	/** Above what came after the count. */
	addendum: string;
	kinds: Record<ShiftFact["kind"], string>;
	missing: string;
	recount: string;
	/** The report of a day over its shifts. */
	day: string;
	allTills: string;
	stillOpen: string;
	uncounted: string;
	late: string;
}

/** The words of a receipt in one language. */
export interface ReceiptWords {
	/** The language's own name. */
	name: string;
	/** The locale of its numbers and dates. */
	locale: string;
	receipt: string;
	copy: string;
	statuses: Record<Exclude<Receipt["status"], "sold">, string>;
	was(price: string): string;
	/** Beside a line with a discount. */
	saving(amount: string): string;
	takenBack(quantity: string): string;
	total: string;
	/** Beside the tax of one class: its rate in percent, and the price without it. */
	taxOf(taxClass: string, rate: string, net: string): string;
	/** Beside the sum of all discounts. */
	savings: string;
	rounding: string;
	/** Beside the total after rounding. */
	toPay: string;
	/** Beside what the customer owes. */
	owes(name: string): string;
	/** Beside what is the customer's. */
	hasLeft(name: string): string;
	/** Above a customer's account. */
	statement: string;
	asOf: string;
	/** Beside what was owed before the entries. */
	before: string;
	/** By what moved the account. */
	entries: Record<Statement["entries"][number]["kind"], string>;
	/** In place of a payment, where the customer got money back. */
	paidOut: string;
	/** Above the receipt of a deposit, and how the goods' story ended. */
	layaway: string;
	layawayStates: Record<Exclude<DepositSlip["state"], "open">, string>;
	dueBy: string;
	paidSoFar: string;
	leftToPay: string;
	/** Beside the sum: what the customer owes, or what is theirs. */
	owed: string;
	creditLeft: string;
	/** By the sale's payment method. */
	methods: Record<string, string>;
	change: string;
	short: string;
	refund(reason: string): string;
	void(reason: string): string;
	afterRefunds: string;
	servedBy(name: string): string;
	/** Of a shift's report. */
	shift: ShiftWords;
	/** Beside the QR code. */
	keep: string;
	/** Where a font or a printer lacks some of the receipt's letters. */
	lostLetters: string;
	/** Behind a link whose sale the server doesn't have. */
	missing: string;
}

export const receiptWords = { en, sw, fr } satisfies Record<
	string,
	ReceiptWords
>;
export type ReceiptLanguage = keyof typeof receiptWords;
export const receiptLanguages = Object.keys(receiptWords) as [
	ReceiptLanguage,
	...ReceiptLanguage[],
];

/** The first of some language codes, such as `sw` or `sw-TZ`, in which receipts can be written; otherwise English. */
export function receiptLanguageOf(
	...codes: (string | null | undefined)[]
): ReceiptLanguage {
	for (const code of codes) {
		const [language] = (code ?? "").toLowerCase().split("-");
		const found = receiptLanguages.find((known) => known === language);
		if (found) return found;
	}
	return "en";
}
