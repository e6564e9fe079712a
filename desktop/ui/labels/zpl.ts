import type { LabelText } from "../till-shell.ts";
import { type BarcodeKind, barcodeKindOf } from "./barcode-kind.ts";

/** Of nearly all label printers: 203 dots an inch. */
const dotsPerMm = 8;
const margin = 16;

/** The command of each kind of barcode, with its height and the digits below it. */
const commands: Record<BarcodeKind, (height: number) => string> = {
	ean13: (height) => `^BEN,${height},Y,N`,
	ean8: (height) => `^B8N,${height},Y,N`,
	upca: (height) => `^BUN,${height},Y,N,Y`,
	upce: (height) => `^B9N,${height},Y,N,Y`,
	itf14: (height) => `^B2N,${height},Y,N,N`,
	code128: (height) => `^BCN,${height},Y,N,N`,
};

/** Writes labels in the language of label printers, for labels of a size in millimetres. */
export function toZpl(
	labels: readonly LabelText[],
	{ width, height }: { width: number; height: number },
): string {
	const [across, down] = [width * dotsPerMm, height * dotsPerMm];
	const text = Math.round(down / 9);
	const large = Math.round(down / 5);
	const inner = across - 2 * margin;
	return labels
		.map(({ name, price, unitPrice, code, copies }) => {
			const priceTop = margin + 2 * text + 8;
			const barTop = priceTop + large + 8;
			const barHeight = Math.max(24, down - barTop - text - margin);
			const kind = code === null ? undefined : barcodeKindOf(code);
			return [
				"^XA",
				"^CI28",
				`^PW${across}`,
				`^LL${down}`,
				`^FO${margin},${margin}^A0N,${text},${text}^FB${inner},2,0,L${data(name)}`,
				`^FO${margin},${priceTop}^A0N,${large},${large}${data(price)}`,
				...(unitPrice === null
					? []
					: [
							`^FO${margin},${priceTop + large - text}^A0N,${text},${text}^FB${inner},1,0,R${data(unitPrice)}`,
						]),
				...(kind
					? [
							`^FO${margin},${barTop}^BY2${commands[kind](barHeight)}${data(digitsOf(code ?? "", kind))}`,
						]
					: []),
				`^PQ${copies}`,
				"^XZ",
			].join("\n");
		})
		.join("\n");
}

/** The printer adds the check digits of goods. */
function digitsOf(code: string, kind: BarcodeKind): string {
	if (kind === "upce") return code.slice(1, -1);
	return kind === "code128" || kind === "itf14" ? code : code.slice(0, -1);
}

/** A field's text, whose letters can't be commands. */
function data(text: string): string {
	const plain = text.replace(/\s/g, " ").replace(/\p{Cc}/gu, "");
	const escaped = plain.replace(
		/[\^~_\\]/g,
		(letter) => `_${letter.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `^FH^FD${escaped}^FS`;
}
