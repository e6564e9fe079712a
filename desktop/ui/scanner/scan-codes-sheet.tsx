import JsBarcode from "jsbarcode";
import { useEffect, useRef } from "react";
import { type Method, methods } from "../till/sale.ts";
import { useWords } from "../words/index.ts";
import { scanCodeOf } from "./scan-codes.ts";

/** A sheet with a barcode for each payment method, to complete sales with the scanner alone. */
export function ScanCodes() {
	const { say } = useWords();
	return (
		<>
			<p>{say("settings.scanCodes")}</p>
			<div className="settings-codes">
				{methods.map((method) => (
					<Barcode key={method} method={method} />
				))}
			</div>
		</>
	);
}

function Barcode({ method }: { method: Method }) {
	const { say } = useWords();
	const picture = useRef<SVGSVGElement>(null);
	useEffect(() => {
		JsBarcode(picture.current, scanCodeOf(method), {
			format: "CODE128",
			height: 50,
			width: 1.6,
			// A scanner needs dark bars on a light background, also in dark mode.
			background: "#ffffff",
			lineColor: "#000000",
		});
	}, [method]);
	return (
		<figure>
			<svg ref={picture} role="img" aria-label={scanCodeOf(method)} />
			<figcaption>{say(`pay.${method}`)}</figcaption>
		</figure>
	);
}
