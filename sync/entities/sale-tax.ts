import { business } from "./business.ts";
import type { Context } from "./entity.ts";
import { toDecimal } from "./money.ts";
import { rateOn, tax } from "./tax.ts";

/** A line of a sale in the making, in wire form. */
interface Line {
	productId?: string | null | undefined;
	taxClass?: string | undefined;
	taxRate?: number | undefined;
}

/**
 * Fixes the tax of each line that says none: by the class of its product, else of the product's category, else of the
 * shop, at the rate of the day. It runs where the sale is made, so that the receipt is right without a network.
 *
 * @returns the lines themselves in a shop without taxes
 */
export async function fixTaxes<L extends Line>(
	context: Context,
	lines: readonly L[],
	day: string,
): Promise<L[]> {
	if (!(await hasTaxes(context))) return [...lines];
	const shop = await context.get(business, context.businessId, "businessId");
	const classes = await readClasses(context, lines);
	const codes = lines.map(({ productId, taxClass }) =>
		taxClass === undefined
			? (classes.get(productId ?? "") ?? shop.taxClass ?? undefined)
			: undefined,
	);
	const rates = await readRates(context, codes, day);
	return lines.map((line, i) => {
		const taxClass = codes[i];
		const rate = taxClass === undefined ? undefined : rates.get(taxClass);
		if (taxClass === undefined || rate === undefined) return line;
		return { ...line, taxClass, taxRate: toDecimal(rate) };
	});
}

async function hasTaxes({ all, businessId }: Context): Promise<boolean> {
	const found = await all(
		"SELECT 1 AS taxed FROM taxes WHERE business_id = ? AND deleted = 0 LIMIT 1",
		businessId,
	);
	return found.length > 0;
}

/** Reads the rate of each of some classes that is in force on a day. */
async function readRates(
	context: Context,
	codes: readonly (string | undefined)[],
	day: string,
): Promise<Map<string, number>> {
	const rates = new Map<string, number>();
	for (const code of new Set(codes)) {
		const found = code === undefined ? code : await context.find(tax, code);
		const rate = found && rateOn(found.rates, day);
		if (code !== undefined && rate !== undefined) rates.set(code, rate);
	}
	return rates;
}

/** Reads the classes of those products that have one, or whose category has one. */
async function readClasses(
	context: Context,
	lines: readonly Line[],
): Promise<Map<string, string>> {
	const ids = new Set(lines.flatMap(({ productId }) => productId ?? []));
	const rows = await context.all(
		`SELECT products.id, coalesce(products.tax_class, categories.tax_class) AS tax_class FROM products
     LEFT JOIN categories ON categories.business_id = products.business_id AND categories.id = products.category_id AND categories.deleted = 0
     WHERE products.business_id = ? AND products.id IN (SELECT value FROM json_each(?))`,
		context.businessId,
		JSON.stringify([...ids]),
	);
	return new Map(
		rows.flatMap(({ id, tax_class: code }) =>
			code === null ? [] : [[id as string, code as string]],
		),
	);
}
