import JsBarcode from "jsbarcode";
import { useLayoutEffect, useRef } from "react";
import {
	checkDigitOf,
	hasWrongCheckDigit,
} from "../../../sync/entities/gtin.ts";

const formats: Record<number, string> = {
	...{ 8: "EAN8", 12: "UPC", 13: "EAN13", 14: "ITF14" },
};

/** A code's barcode: that of goods for a GTIN, and otherwise Code 128. Nothing for letters that it doesn't have. */
export function Barcode({ code }: { code: string }) {
	const picture = useRef<SVGSVGElement>(null);
	useLayoutEffect(() => {
		JsBarcode(picture.current, code, {
			format: formatOf(code),
			...{ height: 44, width: 2, margin: 0, fontSize: 17, flat: true },
			...{ background: "#ffffff", lineColor: "#000000" },
			// A code that can't be one leaves the place empty.
			valid: () => undefined,
		});
	}, [code]);
	return <svg ref={picture} role="img" aria-label={code} />;
}

/** The name of the kind of barcode, as the library calls it. */
function formatOf(code: string): string {
	const format = /^\d+$/.test(code) ? formats[code.length] : undefined;
	if (!format || hasWrongCheckDigit(code)) return "CODE128";
	const isUpcE = checkDigitOf(code.slice(0, -1)) !== code.at(-1);
	return isUpcE ? "UPCE" : format;
}
