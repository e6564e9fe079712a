import type { Receipt } from "../../../sync/queries/receipt.ts";
import { toPage } from "../../../sync/receipts/receipt-page.ts";
import { styleNonce } from "../style-nonce.ts";

const widthMm = 80;

/** Shows a receipt in a window of its own, as the server would, to be printed from there. */
export function openReceipt(receipt: Receipt): void {
	// A till's shell opens addresses alone; its server is on the same computer.
	if (window.till) {
		window.open(`/api/receipts/${receipt.id}?format=html`);
		return;
	}
	const opened = window.open("", "_blank");
	opened?.document.write(toPage(receipt, widthMm, styleNonce()));
	opened?.document.close();
}
