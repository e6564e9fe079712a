import { type ReactNode, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

/** The common roll of receipt printers; a strip longer than a driver's usual page continues over several. */
const widthMm = 80;
const longestMm = 297;
const marginMm = { side: 4, end: 3 };
const pixelsPerMm = 96 / 25.4;

/** Prints in place of the app: one strip of paper, as long as its content. */
export function Paper({ children }: { children: ReactNode }) {
	const strip = useRef<HTMLDivElement>(null);
	useLayoutEffect(() => {
		const element = strip.current;
		if (!element) return;
		const page = new CSSStyleSheet();
		document.adoptedStyleSheets.push(page);
		function fit({ offsetHeight }: HTMLElement): void {
			// While printing, the strip has no layout box to measure.
			if (matchMedia("print").matches) return;
			const content = offsetHeight / pixelsPerMm;
			const length = Math.ceil(content + 2 * marginMm.end + 1);
			page.replaceSync(
				`@page { size: ${widthMm}mm ${Math.min(length, longestMm)}mm; margin: ${marginMm.end}mm ${marginMm.side}mm; }`,
			);
		}
		// Printing may start before the first frame.
		fit(element);
		const observer = new ResizeObserver(() => fit(element));
		observer.observe(element);
		return () => {
			observer.disconnect();
			document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
				(sheet) => sheet !== page,
			);
		};
	}, []);
	return createPortal(
		<div className="paper" ref={strip}>
			{children}
		</div>,
		document.body,
	);
}
