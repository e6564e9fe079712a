import { useCallback } from "react";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Tax } from "../../../sync/entities/tax.ts";
import { withTaxAdded } from "../../../sync/entities/tax-amount.ts";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useAnswer } from "../shop/use-shop-data.ts";

/** More than shops have. */
const taxesMax = 100;
const categoriesMax = 500;

/** All tax classes. */
export function useTaxes(): Tax[] {
	return useAnswer("tax.list", { limit: taxesMax }).data?.rows ?? [];
}

/** The rate of a class on a day, in percent; undefined before its first. */
export function rateOf({ rates }: Tax, day: string): number | undefined {
	return rates.findLast(({ from }) => from <= day)?.rate;
}

/**
 * Returns a function that adds the tax to a price, in a shop whose prices are without it. It asks the shop each time, so that
 * not even the first scan after a start goes without.
 */
export function useAddedTax() {
	const { shop } = useShop();
	const business = useBusiness();
	return useCallback(
		async (
			price: number,
			product?: Pick<Product, "taxClass" | "categoryId">,
		): Promise<number> => {
			const { addsTax, taxClass } =
				business ?? (await shop.ask("business.get", {}));
			if (!addsTax) return price;
			const [taxes, categories, { day }] = await Promise.all([
				shop.ask("tax.list", { limit: taxesMax }),
				shop.ask("category.list", { limit: categoriesMax }),
				shop.ask("business.today", {}),
			]);
			const category = categories.rows.find(
				({ id }) => id === product?.categoryId,
			);
			const code = product?.taxClass ?? category?.taxClass ?? taxClass;
			const tax = taxes.rows.find(({ id }) => id === code);
			const rate = (tax && rateOf(tax, day)) ?? 0;
			return rate === 0
				? price
				: toDecimal(withTaxAdded(toMicros(price), toMicros(rate)));
		},
		[shop, business],
	);
}
