import type { Receipt } from "../queries/receipt.ts";

/** A receipt's numbers and its moment, as its locale writes them. */
export interface ReceiptFormats {
	money(amount: number): string;
	quantity(quantity: number): string;
	moment: string;
}

export function receiptFormats(
	receipt: Receipt,
	locale: string,
): ReceiptFormats {
	const digits = amountsOf(receipt).every(Number.isInteger)
		? 0
		: currencyDigits(receipt.business.currency);
	const { money, quantity, moment } = formatsOf(locale, digits);
	return {
		money: (amount) => money.format(amount).replace("-", "−"),
		quantity: (count) => quantity.format(count).replace("-", "−"),
		moment: moment.format(new Date(`${receipt.localTime.replace(" ", "T")}Z`)),
	};
}

function makeFormats(locale: string, digits: number) {
	return {
		money: new Intl.NumberFormat(locale, {
			minimumFractionDigits: digits,
			maximumFractionDigits: 6,
			// No minus sign before zero.
			signDisplay: "negative",
		}),
		quantity: new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }),
		moment: new Intl.DateTimeFormat(locale, {
			day: "numeric",
			month: "short",
			year: "numeric",
			hour: "2-digit",
			minute: "2-digit",
			hourCycle: "h23",
			// The local time is the shop's already.
			timeZone: "UTC",
		}),
	};
}

const made = new Map<string, ReturnType<typeof makeFormats>>();

/** Keeps the formats of each locale: to make them takes longer than the rest of a receipt. */
function formatsOf(locale: string, digits: number) {
	const key = `${locale} ${digits}`;
	let formats = made.get(key);
	if (!formats) {
		formats = makeFormats(locale, digits);
		made.set(key, formats);
	}
	return formats;
}

/** Amounts on one receipt have all decimals or none. */
function amountsOf({
	lines,
	total,
	paid,
	rounding = 0,
	change,
	refunds,
	refundedTotal,
}: Receipt): number[] {
	return [
		...lines.flatMap(({ price, listPrice = price, total }) => [
			...[price, listPrice, total],
		]),
		...[total, paid, rounding, change, refundedTotal],
		...refunds.map((one) => one.total),
	];
}

function currencyDigits(currency: string): number {
	const { maximumFractionDigits } = new Intl.NumberFormat("en", {
		style: "currency",
		currency,
	}).resolvedOptions();
	return maximumFractionDigits ?? 2;
}
