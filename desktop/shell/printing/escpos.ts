import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import {
	columnsByWidth,
	toText,
} from "../../../sync/receipts/receipt-paper.ts";
import type { RollWidth } from "../../ui/till-shell.ts";

/** Lines of paper between the print head and the cutter. */
const feed = 4;

/** Encodes a receipt as ESC/POS: the plain-text lines in the code pages that they need, then a cut. */
export function toEscPos(receipt: Receipt, width: RollWidth): Uint8Array {
	const encoder = open(width).codepage("auto");
	for (const line of toText(receipt, width).split("\n")) encoder.line(line);
	return encoder.newline(feed).cut("partial").encode();
}

/** The command that opens the cash drawer on a printer. */
export function drawerPulse(width: RollWidth): Uint8Array {
	return open(width).pulse().encode();
}

function open(width: RollWidth): ReceiptPrinterEncoder {
	return new ReceiptPrinterEncoder({
		language: "esc-pos",
		columns: columnsByWidth[width],
	}).initialize();
}
