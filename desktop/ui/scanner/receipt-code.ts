import { readReceiptCode } from "../../../sync/receipts/receipt-link.ts";

/** A receipt that was scanned or typed: by the link of its QR code, or by its number. */
export type ReceiptCode =
	| { businessId: string; saleId: string }
	| { number: string };

/** As tills number their receipts. */
const receiptNumber = /^[A-Z]{1,8}-\d{6,}$/i;

/** Whether a code opens a receipt's page: no product has it. */
export function isReceiptLink(code: string): boolean {
	const asked = receiptOf(code);
	return asked !== undefined && "saleId" in asked;
}

/** @returns undefined for a code that is not on a receipt */
export function receiptOf(code: string): ReceiptCode | undefined {
	const asked = code.trim();
	if (receiptNumber.test(asked)) return { number: asked.toUpperCase() };
	const [, link = ""] = /^https?:\/\/[^/]+\/r\/([^/?#]+)$/i.exec(asked) ?? [];
	return readReceiptCode(link);
}
