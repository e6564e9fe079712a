import JsBarcode from "jsbarcode";
import { useLayoutEffect, useRef } from "react";
import { type BarcodeKind, barcodeKindOf } from "./barcode-kind.ts";

const formats: Record<BarcodeKind, string> = {
	...{ ean13: "EAN13", ean8: "EAN8", upca: "UPC", upce: "UPCE" },
	...{ itf14: "ITF14", code128: "CODE128" },
};

/** A code's barcode. Nothing for letters that none has. */
export function Barcode({ code }: { code: string }) {
	const picture = useRef<SVGSVGElement>(null);
	const kind = barcodeKindOf(code);
	useLayoutEffect(() => {
		if (kind)
			JsBarcode(picture.current, code, {
				format: formats[kind],
				...{ height: 44, width: 2, margin: 0, fontSize: 17, flat: true },
				...{ background: "#ffffff", lineColor: "#000000" },
			});
	}, [code, kind]);
	return kind && <svg ref={picture} role="img" aria-label={code} />;
}
