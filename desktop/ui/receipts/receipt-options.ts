import type { Receipt } from "../../../sync/queries/receipt.ts";
import type { ReceiptOptions } from "../../../sync/receipts/receipt-document.ts";
import { receiptLink } from "../../../sync/receipts/receipt-link.ts";
import { receiptLanguageOf } from "../../../sync/receipts/words/index.ts";
import { businessHeader, pageHeaders } from "../api.ts";

interface Printing {
	/** The address of the shop's server, where this till knows it. */
	server: string | null;
	isCopy: boolean;
}

/** Chooses a receipt's language, the shop's or else this till's, and its link. */
export function receiptOptions(
	{ id, business }: Pick<Receipt, "id" | "business">,
	{ server, isCopy }: Printing,
): ReceiptOptions {
	const businessId = pageHeaders[businessHeader] ?? "";
	return {
		language: receiptLanguageOf(
			business.language,
			document.documentElement.lang,
		),
		link: receiptLink(server, { businessId, saleId: id }),
		isCopy,
	};
}
