import type { Receipt } from "../../../sync/queries/receipt.ts";
import { toDocument } from "../../../sync/receipts/receipt-document.ts";
import { toPage } from "../../../sync/receipts/receipt-page.ts";
import { styleNonce } from "../style-nonce.ts";
import { readPaper } from "./chosen-paper.ts";
import { receiptOptions } from "./receipt-options.ts";

/** Opens a copy of a receipt in its own window, to be printed from there. */
export function openReceipt(receipt: Receipt): void {
	const options = receiptOptions(receipt, {
		server: location.origin,
		isCopy: true,
	});
	const paper = readPaper();
	// The desktop shell opens only URLs; its server is on the same computer.
	if (window.till) {
		window.open(
			`/api/receipts/${receipt.id}?format=html&copy=true&language=${options.language}&width=${paper}`,
		);
		return;
	}
	const opened = window.open("", "_blank");
	const page = { paper, nonce: styleNonce() };
	opened?.document.write(toPage(toDocument(receipt, options), page));
	opened?.document.close();
}
