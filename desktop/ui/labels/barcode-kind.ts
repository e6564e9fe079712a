import {
	checkDigitOf,
	hasWrongCheckDigit,
} from "../../../sync/entities/gtin.ts";

/** The kind of barcode that a code is printed as, whatever prints it. */
export type BarcodeKind =
	| "ean13"
	| "ean8"
	| "upca"
	| "upce"
	| "itf14"
	| "code128";

const kindsByLength: Record<number, BarcodeKind> = {
	...{ 8: "ean8", 12: "upca", 13: "ean13", 14: "itf14" },
};

/** Returns that of goods for a GTIN, and otherwise Code 128; undefined for letters that it doesn't have. */
export function barcodeKindOf(code: string): BarcodeKind | undefined {
	if (!/^[ -~]+$/.test(code)) return undefined;
	const kind = /^\d+$/.test(code) ? kindsByLength[code.length] : undefined;
	if (!kind || hasWrongCheckDigit(code)) return "code128";
	// Of 8 digits with another check digit than an EAN's.
	return checkDigitOf(code.slice(0, -1)) === code.at(-1) ? kind : "upce";
}
