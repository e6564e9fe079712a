import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import type { Paper as PaperSize } from "../../../sync/receipts/receipt-page.ts";
import { readPaper } from "./chosen-paper.ts";

/** A strip longer than a driver's usual page continues over several. */
const longestMm = 297;
const marginMm = { side: 4, end: 3 };
const pixelsPerMm = 96 / 25.4;

/** Prints in place of the app: one strip of a roll, as long as its content, or sheets of A4. It is drawn as long as it prints. */
export function Paper({ children }: { children: ReactNode }) {
	const strip = useRef<HTMLDivElement>(null);
	const [isPrinting, setPrinting] = useState(false);
	const paper = readPaper();
	useEffect(() => {
		const page = new CSSStyleSheet();
		function begin(): void {
			flushSync(() => setPrinting(true));
			const height = strip.current?.offsetHeight ?? 0;
			page.replaceSync(`@page { ${pageOf(paper, height)} }`);
			document.adoptedStyleSheets.push(page);
		}
		function end(): void {
			document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
				(sheet) => sheet !== page,
			);
			setPrinting(false);
		}
		addEventListener("beforeprint", begin);
		addEventListener("afterprint", end);
		return () => {
			removeEventListener("beforeprint", begin);
			removeEventListener("afterprint", end);
			end();
		};
	}, [paper]);
	return (
		isPrinting &&
		createPortal(
			<div className="paper" data-paper={paper} ref={strip}>
				{children}
			</div>,
			document.body,
		)
	);
}

function pageOf(paper: PaperSize, height: number): string {
	if (paper === "A4") return "size: A4; margin: 18mm 20mm;";
	const length = Math.ceil(height / pixelsPerMm + 2 * marginMm.end + 1);
	return `size: ${paper}mm ${Math.min(length, longestMm)}mm; margin: ${marginMm.end}mm ${marginMm.side}mm;`;
}
