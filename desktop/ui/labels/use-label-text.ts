import { useFormat } from "../format.ts";
import type { LabelText } from "../till-shell.ts";
import { useWords } from "../words/index.ts";
import { unitPriceOf } from "./unit-price.ts";
import type { LabelGoods } from "./use-pack-labels.ts";

/** Words what stands on a product's label. */
export function useLabelText(): (
	goods: LabelGoods,
) => Omit<LabelText, "copies"> {
	const { say } = useWords();
	const format = useFormat();
	return (goods) => {
		const { name, sku: code, sellingPrice } = goods;
		const found = unitPriceOf(goods);
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
