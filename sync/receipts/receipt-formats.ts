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
	const { momentOf, ...formats } = formatsFor(locale, {
		currency: receipt.business.currency,
		amounts: amountsOf(receipt),
	});
	return { ...formats, moment: momentOf(receipt.localTime) };
}

/**
 * Returns the formats of a document's numbers and local times.
 *
 * @param amounts on the document: all have decimals or none
 */
export function formatsFor(
	locale: string,
	{ currency, amounts }: { currency: string; amounts: readonly number[] },
) {
	const digits = amounts.every(Number.isInteger) ? 0 : currencyDigits(currency);
	const { money, quantity, moment, day } = formatsOf(locale, digits);
	const dateOf = (localTime: string) =>
		new Date(`${localTime.replace(" ", "T")}Z`);
	return {
		money: (amount: number) => money.format(amount).replace("-", "−"),
		quantity: (count: number) => quantity.format(count).replace("-", "−"),
		momentOf: (localTime: string) => moment.format(dateOf(localTime)),
		dayOf: (localTime: string) => day.format(dateOf(localTime)),
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
		day: new Intl.DateTimeFormat(locale, {
			...{ day: "numeric", month: "numeric", year: "2-digit" },
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

function amountsOf({
	lines,
	total,
	paid,
	rounding = 0,
	change,
	refunds,
	refundedTotal,
	taxes = [],
}: Receipt): number[] {
	return [
		...lines.flatMap(({ price, listPrice = price, total }) => [
			...[price, listPrice, total],
		]),
		...[total, paid, rounding, change, refundedTotal],
		...refunds.map((one) => one.total),
		...taxes.flatMap(({ net, tax }) => [net, tax]),
	];
}

function currencyDigits(currency: string): number {
	const { maximumFractionDigits } = new Intl.NumberFormat("en", {
		style: "currency",
		currency,
	}).resolvedOptions();
	return maximumFractionDigits ?? 2;
}
