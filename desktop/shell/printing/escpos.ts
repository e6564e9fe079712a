import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type {
	ReceiptBlock,
	ReceiptDocument,
} from "../../../sync/receipts/receipt-document.ts";
import {
	columnsByWidth,
	toLines,
} from "../../../sync/receipts/receipt-text.ts";
import type { RollWidth } from "../../ui/till-shell.ts";

/** Lines of paper between the print head and the cutter. */
const feed = 4;
/** Dots per module: a link's 41 modules fit on the narrowest paper. */
const qrModuleDots = { 58: 5, 80: 6 } as const;
/** A picture as rows of dots, four bytes each. */
export interface Picture {
	data: Uint8Array;
	width: number;
	height: number;
}
type ReadPicture = (dataUrl: string) => Picture | undefined;

const emphasized: ReceiptBlock["kind"][] = ["title", "mark", "total"];

/**
 * Encodes a receipt as ESC/POS: its lines in the code pages that they need, its QR code by the printer, then a cut.
 *
 * @param readPicture decodes a logo; without it, or if it can't, the receipt has none
 */
export function toEscPos(
	{ blocks }: ReceiptDocument,
	width: RollWidth,
	readPicture: ReadPicture = () => undefined,
): Uint8Array {
	const encoder = open(width).codepage("auto");
	for (const block of blocks)
		if (block.kind === "logo") printLogo(readPicture(block.url), encoder);
		else print(block, encoder, width);
	return encoder.encode();
}

function printLogo(
	picture: Picture | undefined,
	encoder: ReceiptPrinterEncoder,
): void {
	if (picture)
		encoder
			.align("center")
			.image({ ...picture })
			.align("left");
}

function print(
	block: ReceiptBlock,
	encoder: ReceiptPrinterEncoder,
	width: RollWidth,
): void {
	if (block.kind === "tear") {
		encoder.newline(feed).cut("partial");
		return;
	}
	if (block.kind === "qr" || block.kind === "code") {
		const content = block.kind === "qr" ? block.url : block.text;
		const size = qrModuleDots[width];
		encoder
			.align("center")
			.qrcode(content, { model: 2, size, errorlevel: "m" });
		if (block.kind === "qr") encoder.line(block.caption);
		encoder.align("left");
		return;
	}
	const isBold = emphasized.includes(block.kind);
	for (const line of toLines(block, columnsByWidth[width]))
		encoder.bold(isBold).line(line);
	encoder.bold(false);
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
