import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import { useWords } from "../words/index.ts";
import { Barcode } from "./barcode.tsx";
import type { LabelSheet } from "./label-sheets.ts";
import { unitPriceOf } from "./unit-price.ts";

/** A product's label, as large as the sheet has it. */
export function LabelView({
	product,
	sheet: { width, height },
}: {
	product: Product;
	sheet: LabelSheet;
}) {
	const { say } = useWords();
	const format = useFormat();
	const { name, sku, sellingPrice } = product;
	const unitPrice = unitPriceOf(product);
	return (
		<article
			className="label"
			aria-label={name}
			style={{ width: `${width}mm`, height: `${height}mm` }}
		>
			<div className="label-name">{name}</div>
			<div className="label-prices">
				<span className="label-price">{format.money(sellingPrice ?? 0)}</span>
				{unitPrice && (
					<span className="label-unit">
						{say("labels.per", {
							price: format.money(unitPrice.price),
							unit: unitPrice.per,
						})}
					</span>
				)}
			</div>
			{sku !== null && <Barcode code={sku} />}
		</article>
	);
}
