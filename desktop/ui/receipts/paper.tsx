import { type ReactNode, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import type { Paper as PaperSize } from "../../../sync/receipts/receipt-page.ts";
import { readPaper } from "./chosen-paper.ts";

/** A strip longer than a driver's usual page continues over several. */
const longestMm = 297;
const marginMm = { side: 4, end: 3 };
const pixelsPerMm = 96 / 25.4;

/** Prints in place of the app: one strip of a roll, as long as its content, or sheets of A4. */
export function Paper({ children }: { children: ReactNode }) {
	const strip = useRef<HTMLDivElement>(null);
	const paper = readPaper();
	useLayoutEffect(() => {
		const page = new CSSStyleSheet();
		// Only when it is printed: measuring a strip and styling its page would delay the sale's last screen.
		function fit(): void {
			const height = strip.current?.offsetHeight ?? 0;
			page.replaceSync(`@page { ${pageOf(paper, height)} }`);
		}
		addEventListener("beforeprint", fit);
		document.adoptedStyleSheets.push(page);
		return () => {
			removeEventListener("beforeprint", fit);
			document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
				(sheet) => sheet !== page,
			);
		};
	}, [paper]);
	return createPortal(
		<div className="paper" data-paper={paper} ref={strip}>
			{children}
		</div>,
		document.body,
	);
}

function pageOf(paper: PaperSize, height: number): string {
	if (paper === "A4") return "size: A4; margin: 18mm 20mm;";
	const length = Math.ceil(height / pixelsPerMm + 2 * marginMm.end + 1);
	return `size: ${paper}mm ${Math.min(length, longestMm)}mm; margin: ${marginMm.end}mm ${marginMm.side}mm;`;
}
