import { Barcode } from "./barcode.tsx";
import type { LabelSheet } from "./label-sheets.ts";
import { useLabelText } from "./use-label-text.ts";
import type { LabelGoods } from "./use-pack-labels.ts";

/** A product's label, as large as the sheet has it. */
export function LabelView({
	product,
	sheet: { width, height },
}: {
	product: LabelGoods;
	sheet: LabelSheet;
}) {
	const { name, price, unitPrice, code } = useLabelText()(product);
	return (
		<article
			className="label"
			aria-label={name}
			style={{ width: `${width}mm`, height: `${height}mm` }}
		>
			<div className="label-name">{name}</div>
			<div className="label-prices">
				<span className="label-price">{price}</span>
				{unitPrice && <span className="label-unit">{unitPrice}</span>}
			</div>
			{code !== null && <Barcode code={code} />}
		</article>
	);
}
