import ReceiptPrinterEncoder, {
	type BarcodeSymbology,
} from "@point-of-sale/receipt-printer-encoder";
import type {
	ReceiptBlock,
	ReceiptDocument,
} from "../../../sync/receipts/receipt-document.ts";
import {
	columnsByWidth,
	toLines,
} from "../../../sync/receipts/receipt-text.ts";
import {
	type BarcodeKind,
	barcodeKindOf,
} from "../../ui/labels/barcode-kind.ts";
import type { LabelText, RollWidth } from "../../ui/till-shell.ts";

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
	for (const line of linesOf(block, columnsByWidth[width]))
		encoder.bold(isBold).line(line);
	encoder.bold(false);
}

/**
 * The lines of a block in letters as printers have them: an accent that was typed apart belongs to its letter, and a
 * picture takes one place.
 */
function linesOf(block: ReceiptBlock, columns: number): string[] {
	const printed = JSON.parse(JSON.stringify(block), (_, value) =>
		typeof value === "string"
			? value.normalize("NFC").replace(/[\u{10000}-\u{10ffff}]/gu, "?")
			: value,
	) as ReceiptBlock;
	return toLines(printed, columns);
}

/** The printer's names of barcodes. */
const barcodeNames: Record<BarcodeKind, BarcodeSymbology> = {
	...{ ean13: "ean13", ean8: "ean8", upca: "upca", upce: "upce" },
	...{ itf14: "itf", code128: "code128" },
};
const barcodeDots = 60;

/** Encodes labels as ESC/POS, each cut from the roll. */
export function labelsToEscPos(
	labels: readonly LabelText[],
	width: RollWidth,
): Uint8Array {
	const encoder = open(width).codepage("auto");
	const columns = columnsByWidth[width];
	const lines = (text: string, columns: number) =>
		linesOf({ kind: "paragraph", text, align: "start" }, columns);
	for (const { copies, ...label } of labels)
		for (let copy = 0; copy < copies; copy += 1) {
			for (const line of lines(label.name, columns)) encoder.line(line);
			encoder.size(2, 2).bold(true);
			for (const line of lines(label.price, columns / 2)) encoder.line(line);
			encoder.size(1, 1).bold(false);
			if (label.unitPrice)
				for (const line of lines(label.unitPrice, columns)) encoder.line(line);
			const kind = label.code === null ? undefined : barcodeKindOf(label.code);
			if (kind && label.code !== null)
				encoder.barcode(label.code, barcodeNames[kind], {
					...{ height: barcodeDots, text: true },
				});
			encoder.newline(feed).cut("partial");
		}
	return encoder.encode();
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
