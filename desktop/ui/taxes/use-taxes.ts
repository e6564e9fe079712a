import { useCallback } from "react";
import { toDecimal, toMicros } from "../../../sync/entities/money.ts";
import type { Product } from "../../../sync/entities/product.ts";
import type { Tax } from "../../../sync/entities/tax.ts";
import { withTaxAdded } from "../../../sync/entities/tax-amount.ts";
import {
	useAnswer,
	useBusiness,
	useCategories,
} from "../shop/use-shop-data.ts";

/** More than any shop has. */
const taxesMax = 100;

/** All tax classes. */
export function useTaxes(enabled = true): Tax[] {
	const { data } = useAnswer("tax.list", { limit: taxesMax }, { enabled });
	return data?.rows ?? none;
}
const none: Tax[] = [];

/** The rate of a class on a day, in percent; undefined before its first. */
export function rateOf({ rates }: Tax, day: string): number | undefined {
	return rates.findLast(({ from }) => from <= day)?.rate;
}

/** Returns a function that adds the tax to a price, in a shop whose prices are without it. */
export function useAddedTax() {
	const business = useBusiness();
	const addsTax = business?.addsTax === true;
	const taxes = useTaxes(addsTax);
	const categories = useCategories();
	const today = useAnswer("business.today", {}, { enabled: addsTax }).data?.day;
	return useCallback(
		(
			price: number,
			product?: Pick<Product, "taxClass" | "categoryId">,
		): number => {
			if (!addsTax || today === undefined) return price;
			const category = categories.find(({ id }) => id === product?.categoryId);
			const code =
				product?.taxClass ?? category?.taxClass ?? business?.taxClass;
			const tax = taxes.find(({ id }) => id === code);
			const rate = (tax && rateOf(tax, today)) ?? 0;
			return rate === 0
				? price
				: toDecimal(withTaxAdded(toMicros(price), toMicros(rate)));
		},
		[addsTax, business, taxes, categories, today],
	);
}
