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
	const rates = await readRates(context, day);
	if (rates.size === 0) return [...lines];
	const shop = await context.get(business, context.businessId, "businessId");
	const classes = await readClasses(context, lines);
	return lines.map((line) => {
		if (line.taxClass !== undefined) return line;
		const code = classes.get(line.productId ?? "") ?? shop.taxClass;
		const rate = code == null ? undefined : rates.get(code);
		if (code == null || rate === undefined) return line;
		return { ...line, taxClass: code, taxRate: toDecimal(rate) };
	});
}

/** Reads the rate of each class that is in force on a day. */
async function readRates(
	context: Context,
	day: string,
): Promise<Map<string, number>> {
	const ids = await context.all(
		"SELECT id FROM taxes WHERE business_id = ? AND deleted = 0",
		context.businessId,
	);
	const rates = new Map<string, number>();
	for (const { id } of ids) {
		const found = await context.find(tax, id as string);
		const rate = found && rateOn(found.rates, day);
		if (rate !== undefined) rates.set(id as string, rate);
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
