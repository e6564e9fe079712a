import { useLayoutEffect } from "react";
import { createPortal } from "react-dom";
import { type LabelSheet, pagesOf } from "./label-sheets.ts";
import { LabelView } from "./label-view.tsx";
import type { LabelGoods } from "./use-pack-labels.ts";

/** Labels that print in place of the app, each page as its sheet is divided. */
export function LabelPaper({
	products,
	sheet,
	used,
}: {
	/** One for each label. */
	products: readonly LabelGoods[];
	sheet: LabelSheet;
	/** How many labels of the first sheet are gone. */
	used: number;
}) {
	useLayoutEffect(() => {
		const page = new CSSStyleSheet();
		const size =
			sheet.page === "A4" ? "A4" : `${sheet.width}mm ${sheet.height}mm`;
		page.replaceSync(`@page { size: ${size}; margin: 0; }`);
		document.adoptedStyleSheets.push(page);
		return () => {
			document.adoptedStyleSheets = document.adoptedStyleSheets.filter(
				(one) => one !== page,
			);
		};
	}, [sheet]);
	const { columns, width, height, gap, top, left } = sheet;
	return createPortal(
		<div className="paper" data-paper="labels">
			{pagesOf(products, sheet, used).map((page, at) => (
				<div
					// biome-ignore lint/suspicious/noArrayIndexKey: they never move.
					key={at}
					className="label-page"
					style={{
						gridTemplateColumns: `repeat(${columns}, ${width}mm)`,
						gridAutoRows: `${height}mm`,
						columnGap: `${gap}mm`,
						padding: `${top}mm 0 0 ${left}mm`,
					}}
				>
					{page.map((product, i) =>
						product ? (
							// biome-ignore lint/suspicious/noArrayIndexKey: they never move.
							<LabelView key={i} product={product} sheet={sheet} />
						) : (
							// biome-ignore lint/suspicious/noArrayIndexKey: they never move.
							<span key={i} />
						),
					)}
				</div>
			))}
		</div>,
		document.body,
	);
}
