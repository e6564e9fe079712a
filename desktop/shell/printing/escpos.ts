import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import {
	columnsByWidth,
	toText,
} from "../../../sync/receipts/receipt-paper.ts";
import type { RollWidth } from "../../ui/till-shell.ts";

/** Lines of paper between the print head and the knife. */
const feed = 4;

/** A receipt as ESC/POS: the same lines as in plain text, in whatever code pages their letters need, and a cut. */
export function toEscPos(receipt: Receipt, width: RollWidth): Uint8Array {
	const encoder = open(width).codepage("auto");
	for (const line of toText(receipt, width).split("\n")) encoder.line(line);
	return encoder.newline(feed).cut("partial").encode();
}

/** What opens the drawer that hangs on the printer. */
export function drawerPulse(width: RollWidth): Uint8Array {
	return open(width).pulse().encode();
}

function open(width: RollWidth): ReceiptPrinterEncoder {
	return new ReceiptPrinterEncoder({
		language: "esc-pos",
		columns: columnsByWidth[width],
	}).initialize();
}
