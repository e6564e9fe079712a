import { businessUpdate } from "../../../sync/entities/business.ts";
import { categoryUpdate } from "../../../sync/entities/category.ts";
import { taxSet } from "../../../sync/entities/tax.ts";
import {
	type TaxPreset,
	taxPresets,
} from "../../../sync/entities/tax-presets.ts";
import { categoryList } from "../../../sync/queries/category.ts";
import type { Caller, Shop } from "../../../sync/shop.ts";

const { classes, taxClass: usual }: TaxPreset = taxPresets.KE;
/** Of classes that have no name but their kind. */
const names = {
	...{ standard: "VAT", reduced: "VAT" },
	...{ zero: "Zero-rated", exempt: "Exempt" },
};
const exempt = "A";
/** An example, and no advice: prices of the demo include Kenya's tax on all else. */
const exemptCategories = ["Vegetables & fruit"];

/** Gives the demo its taxes. @returns the tax of a line, by the category of its product */
export async function setTaxes(
	shop: Shop,
	caller: Caller,
	from: string,
): Promise<
	(categoryId: string | null) => { taxClass: string; taxRate: number }
> {
	for (const { rate, ...one } of classes)
		await shop.mutate(caller, taxSet, {
			name: names[one.kind],
			...one,
			rates: [{ from, rate }],
		});
	await shop.mutate(caller, businessUpdate, { set: { taxClass: usual } });
	const { rows } = await shop.ask(caller, categoryList, {});
	const without = rows.filter(({ name }) => exemptCategories.includes(name));
	for (const { id } of without)
		await shop.mutate(caller, categoryUpdate, {
			...{ id, set: { taxClass: exempt } },
		});
	const rateOf = (code: string) =>
		classes.find(({ id }) => id === code)?.rate ?? 0;
	return (categoryId) => {
		const isExempt = without.some(({ id }) => id === categoryId);
		const taxClass = isExempt ? exempt : usual;
		return { taxClass, taxRate: rateOf(taxClass) };
	};
}
