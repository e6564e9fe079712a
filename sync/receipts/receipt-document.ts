import { sumOfProducts, toDecimal, toMicros } from "../entities/money.ts";
import type { Receipt } from "../queries/receipt.ts";
import { packText } from "./pack-text.ts";
import { type ReceiptFormats, receiptFormats } from "./receipt-formats.ts";
import {
	type ReceiptLanguage,
	type ReceiptWords,
	receiptLanguageOf,
	receiptWords,
} from "./words/index.ts";

export interface ItemBlock {
	kind: "item";
	name: string;
	/** Null for a single piece at its usual price, whose price is the amount. */
	each: {
		quantity: string;
		/** What is counted and priced, with a space behind it; "" for pieces. */
		pack: string;
		price: string;
		/** The price before a discount, and the words for it where nothing can be struck out. */
		was: { price: string; words: string } | null;
	} | null;
	amount: string;
	notes: string[];
}

/** A part of a receipt, from top to bottom. Texts are ready to show; a renderer only lays them out. */
export type ReceiptBlock =
	| { kind: "logo"; url: string }
	| { kind: "title"; text: string }
	| { kind: "paragraph"; text: string; align: "center" | "start" }
	/** What must not be overlooked, such as that this is a copy. */
	| { kind: "mark"; text: string }
	| { kind: "pair"; label: string; value: string }
	| ItemBlock
	| { kind: "total"; label: string; value: string }
	| { kind: "rule" }
	| { kind: "qr"; url: string; caption: string }
	/** The receipt's number for the shop's own scanner, where no link is. */
	| { kind: "code"; text: string }
	/** The end of the paper. */
	| { kind: "tear" };

export interface ReceiptDocument {
	language: ReceiptLanguage;
	/** For a window or a file. */
	title: string;
	blocks: ReceiptBlock[];
}

export interface ReceiptOptions {
	/** The customer's; by default the shop's. */
	language?: ReceiptLanguage | undefined;
	/** Whether the receipt may have been printed before. */
	isCopy?: boolean | undefined;
	/** The receipt's public page; null where no customer can reach it. */
	link?: string | null | undefined;
}

/**
 * Writes a receipt. Only this decides what is on it, in which order and in which words; screen, paper, PDF and text show
 * the same blocks.
 */
export function toDocument(
	receipt: Receipt,
	{
		language = receiptLanguageOf(receipt.business.language),
		isCopy = false,
		link = null,
	}: ReceiptOptions = {},
): ReceiptDocument {
	const words = receiptWords[language];
	const formats = receiptFormats(receipt, words.locale);
	const title = [words.receipt, receipt.number].filter(Boolean).join(" ");
	const rule: ReceiptBlock = { kind: "rule" };
	const below = belowGoods(receipt, words);
	return {
		language,
		title,
		blocks: [
			...aboveGoods(receipt, words, isCopy),
			rule,
			{ kind: "pair", label: title, value: formats.moment },
			rule,
			...receipt.lines.map((line) => itemOf(line, words, formats)),
			rule,
			...sumsOf(receipt, words, formats),
			...(below.length > 0 ? [rule, ...below] : []),
			...codeOf(receipt, link, words),
			{ kind: "tear" },
		],
	};
}

/** What a scanner reads when the receipt comes back. */
function codeOf(
	{ number }: Receipt,
	link: string | null,
	{ keep }: ReceiptWords,
): ReceiptBlock[] {
	if (link !== null) return [{ kind: "qr", url: link, caption: keep }];
	return number === null ? [] : [{ kind: "code", text: number }];
}

/** The app's pages show no others, and a receipt asks no other server. */
const shownPictures =
	/^(data:image\/(png|jpeg|webp);base64,|\/api\/pictures\/[0-9a-f]{32}\.\w+$)/;

/** The shop's logo, name and header. */
export function letterhead({
	logoUrl,
	name,
	header,
}: Receipt["business"]): ReceiptBlock[] {
	return [
		...(logoUrl !== undefined && shownPictures.test(logoUrl)
			? [{ kind: "logo", url: logoUrl } as const]
			: []),
		{ kind: "title", text: name },
		...paragraph(header),
	];
}

function aboveGoods(
	{ business, status }: Receipt,
	words: ReceiptWords,
	isCopy: boolean,
): ReceiptBlock[] {
	return [
		...letterhead(business),
		...(status === "sold"
			? []
			: [{ kind: "mark", text: words.statuses[status] } as const]),
		...(isCopy ? [{ kind: "mark", text: words.copy } as const] : []),
	];
}

export function itemOf(
	line: Receipt["lines"][number],
	words: ReceiptWords,
	{ money, quantity: count }: Pick<ReceiptFormats, "money" | "quantity">,
): ItemBlock {
	const { name, quantity, price, listPrice, total, refunded, taxClass } = line;
	const pack = packText(line, count);
	// A pack's price is not of its product's unit.
	const unit = pack ? undefined : line.unit;
	const counted = (amount: number) =>
		[count(amount), unit].filter(Boolean).join("\u00a0");
	const notes: string[] = [];
	if (listPrice !== undefined)
		notes.push(words.saving(money(savingOf(line, listPrice))));
	if (refunded > 0) notes.push(words.takenBack(counted(refunded)));
	const isPlain = quantity === 1 && listPrice === undefined && !pack && !unit;
	return {
		kind: "item",
		name,
		each: isPlain
			? null
			: {
					quantity: counted(quantity),
					pack: pack && `${pack} `,
					price: [money(price), unit].filter(Boolean).join("/"),
					was:
						listPrice === undefined
							? null
							: {
									price: money(listPrice),
									words: words.was(money(listPrice)),
								},
				},
		amount: [money(total), taxClass].filter(Boolean).join(" "),
		notes,
	};
}

/** What a line's discount took off. */
function savingOf(
	{ quantity, total }: Receipt["lines"][number],
	listPrice: number,
): number {
	const listed = sumOfProducts([
		{ price: toMicros(listPrice), quantity: toMicros(quantity) },
	]);
	return toDecimal(listed - toMicros(total));
}

function sumsOf(
	receipt: Receipt,
	words: ReceiptWords,
	{ money, quantity: count }: ReceiptFormats,
): ReceiptBlock[] {
	const { business, change, discount, paid, refunds, total } = receipt;
	const { rounding = 0, refundedTotal, customer, taxes = [] } = receipt;
	const pair = (label: string, amount: number): ReceiptBlock => ({
		kind: "pair",
		label,
		value: money(amount),
	});
	/** Both are decimals, whose difference may not be exact. */
	const less = (amount: number, part: number) =>
		toDecimal(toMicros(amount) - toMicros(part));
	const tenders = receipt.tenders ?? [
		{
			method: receipt.paymentMethod,
			code: receipt.paymentCode ?? tenderOf(receipt).reference,
			// Cash is rounded by a part of what counts as paid.
			amount: less(paid, rounding),
		},
	];
	return [
		{
			kind: "total",
			label: `${words.total} ${business.currency}`,
			value: money(total),
		},
		...taxes.map(({ taxClass, taxRate, net, tax }) =>
			pair(words.taxOf(taxClass, count(taxRate), money(net)), tax),
		),
		...(discount === undefined ? [] : [pair(words.savings, discount)]),
		...(rounding === 0
			? []
			: [
					pair(words.rounding, -rounding),
					pair(words.toPay, less(total, rounding)),
				]),
		...tenders.map(({ method, code, amount }) =>
			pair([methodName(method, words), code].filter(Boolean).join(" "), amount),
		),
		...(change > 0 || (change === 0 && isCash(receipt))
			? [pair(words.change, change)]
			: []),
		...(change < 0 ? [pair(words.short, -change)] : []),
		...(customer
			? [
					customer.balance < 0
						? pair(words.hasLeft(customer.name), -customer.balance)
						: pair(words.owes(customer.name), customer.balance),
				]
			: []),
		...refunds.map(({ kind, reason, total: back }) =>
			pair(words[kind](reason), -back),
		),
		...(refunds.length > 0
			? [pair(words.afterRefunds, less(total, refundedTotal))]
			: []),
	];
}

function isCash({ paymentMethod, tenders }: Receipt): boolean {
	return !tenders && paymentMethod.toUpperCase() === "CASH";
}

function belowGoods(receipt: Receipt, words: ReceiptWords): ReceiptBlock[] {
	const { cashier, business } = receipt;
	return [
		...paragraph(tenderOf(receipt).notes, "start"),
		...paragraph(business.footer),
		...paragraph(cashier === null ? null : words.servedBy(cashier)),
	];
}

export function paragraph(
	text: string | null,
	align: "center" | "start" = "center",
): ReceiptBlock[] {
	const shown = text?.trim();
	return shown ? [{ kind: "paragraph", text: shown, align }] : [];
}

/** Splits what the till wrote into the notes: the payment's reference, in a line after its method, and the cashier's own words. */
function tenderOf({ notes, paymentMethod }: Receipt) {
	const lines = (notes ?? "").split("\n");
	const start = `${paymentMethod} `;
	const at = lines.findIndex((line) => line.startsWith(start));
	const [line] = at < 0 ? [] : lines.splice(at, 1);
	return {
		reference: line?.slice(start.length).trim(),
		notes: lines.join("\n"),
	};
}

/** A method that has no word is still not shown as a code: `BANK_TRANSFER` is `Bank transfer`. */
export function methodName(code: string, { methods }: ReceiptWords): string {
	const known = methods[code.toUpperCase().replace(/[^A-Z]/g, "")];
	if (known !== undefined) return known;
	const text = code.replaceAll("_", " ").trim();
	if (/\p{Ll}/u.test(text)) return text;
	return text.charAt(0) + text.slice(1).toLowerCase();
}
