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
	const money = new Intl.NumberFormat(locale, {
		minimumFractionDigits: digits,
		maximumFractionDigits: 6,
		// No minus sign before zero.
		signDisplay: "negative",
	});
	const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
	const moment = new Intl.DateTimeFormat(locale, {
		day: "numeric",
		month: "short",
		year: "numeric",
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
		// The local time is the shop's already.
		timeZone: "UTC",
	});
	return {
		money: (amount) => money.format(amount).replace("-", "−"),
		quantity: (count) => quantity.format(count).replace("-", "−"),
		moment: moment.format(new Date(`${receipt.localTime.replace(" ", "T")}Z`)),
	};
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
