import type { Product } from "../../../sync/entities/product.ts";
import { useFormat } from "../format.ts";
import type { LabelText } from "../till-shell.ts";
import { useWords } from "../words/index.ts";
import { unitPriceOf } from "./unit-price.ts";

/** Words what stands on a product's label. */
export function useLabelText(): (
	product: Product,
) => Omit<LabelText, "copies"> {
	const { say } = useWords();
	const format = useFormat();
	return (product) => {
		const { name, sku: code, sellingPrice } = product;
		const found = unitPriceOf(product);
		return {
			...{ name, code, price: format.money(sellingPrice ?? 0) },
			unitPrice: found
				? say("labels.per", {
						...{ price: format.money(found.price), unit: found.per },
					})
				: null,
		};
	};
}
