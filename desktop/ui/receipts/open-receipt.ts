import type { Receipt } from "../../../sync/queries/receipt.ts";
import { toPage } from "../../../sync/receipts/receipt-page.ts";
import { styleNonce } from "../style-nonce.ts";

const widthMm = 80;

/** Opens a receipt in its own window, as the server renders it, to be printed from there. */
export function openReceipt(receipt: Receipt): void {
	// The desktop shell opens only URLs; its server is on the same computer.
	if (window.till) {
		window.open(`/api/receipts/${receipt.id}?format=html`);
		return;
	}
	const opened = window.open("", "_blank");
	opened?.document.write(toPage(receipt, widthMm, styleNonce()));
	opened?.document.close();
}
