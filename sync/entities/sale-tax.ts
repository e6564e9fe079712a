import { business } from "./business.ts";
import type { Context } from "./entity.ts";
import { sumOfProducts, toDecimal, toMicros } from "./money.ts";
import type { Tender } from "./payment.ts";
import { paymentOf } from "./sale-payment.ts";
import { rateOn, tax } from "./tax.ts";

/** A line of a sale in the making, in wire form. */
interface Line {
	price: number;
	quantity: number;
	productId?: string | null | undefined;
	taxClass?: string | undefined;
	taxRate?: number | undefined;
}

/** A sale in the making, in wire form. */
interface Made<L extends Line> {
	items: readonly L[];
	businessDay: string;
	paid?: number | null | undefined;
	rounding?: number | undefined;
	paymentMethod?: string | undefined;
	tenders?: readonly Tender[] | undefined;
	customerId?: string | undefined;
}

/**
 * Fixes the tax of each line that says none: by the class of its product, else of the product's category, else of the
 * shop, at the rate of the day and of how the sale is paid. It runs where the sale is made, so that the receipt is right
 * without a network.
 *
 * @returns the lines themselves in a shop without taxes
 */
export async function fixTaxes<L extends Line>(
	context: Context,
	made: Made<L>,
): Promise<L[]> {
	const { items: lines } = made;
	if (!(await hasTaxes(context))) return [...lines];
	const shop = await context.get(business, context.businessId, "businessId");
	const classes = await readClasses(context, lines);
	const codes = lines.map(({ productId, taxClass }) =>
		taxClass === undefined
			? (classes.get(productId ?? "") ?? shop.taxClass ?? undefined)
			: undefined,
	);
	const rates = await readRates(context, codes, made);
	return lines.map((line, i) => {
		const taxClass = codes[i];
		const rate = taxClass === undefined ? undefined : rates.get(taxClass);
		if (taxClass === undefined || rate === undefined) return line;
		return { ...line, taxClass, taxRate: toDecimal(rate) };
	});
}

/** Returns the rate that is added to the price of each product, in a shop whose prices are without tax; else none. */
export async function addedRates(
	context: Context,
	lines: readonly Pick<Line, "productId">[],
	businessDay: string,
): Promise<Map<string, number>> {
	const rates = new Map<string, number>();
	const shop = await context.find(business, context.businessId);
	if (!shop?.addsTax) return rates;
	const classes = await readClasses(context, lines);
	for (const { productId } of lines) {
		const code = productId && (classes.get(productId) ?? shop.taxClass);
		const found = code ? await context.find(tax, code) : undefined;
		const on = found?.rates.findLast(({ from }) => from <= businessDay);
		if (productId && on) rates.set(productId, on.rate);
	}
	return rates;
}

async function hasTaxes({ all, businessId }: Context): Promise<boolean> {
	const found = await all(
		"SELECT 1 AS taxed FROM taxes WHERE business_id = ? AND deleted = 0 LIMIT 1",
		businessId,
	);
	return found.length > 0;
}

/** Returns the methods that money is paid by, and credit among them. */
function methodsOf({ paymentMethod = "CASH", ...made }: Made<Line>): string[] {
	const micros = made.items.map(({ price, quantity }) => ({
		...{ price: toMicros(price), quantity: toMicros(quantity) },
	}));
	const sold = paymentOf(
		{
			...{ ...made, paymentMethod },
			paid: toMicros(made.paid ?? 0),
			rounding: toMicros(made.rounding ?? 0),
			tenders: made.tenders?.map((one) => ({
				...{ ...one, amount: toMicros(one.amount) },
			})),
		},
		sumOfProducts(micros),
	);
	return sold.entries.length === 0
		? [sold.paymentMethod]
		: sold.entries.flatMap(({ method, amount }) => (amount > 0 ? method : []));
}

/** Reads the rate of each of some classes that a sale has. */
async function readRates(
	context: Context,
	codes: readonly (string | undefined)[],
	made: Made<Line>,
): Promise<Map<string, number>> {
	const rates = new Map<string, number>();
	for (const code of new Set(codes)) {
		const found = code === undefined ? code : await context.find(tax, code);
		const rate =
			found && rateOn(found.rates, made.businessDay, () => methodsOf(made));
		if (code !== undefined && rate !== undefined) rates.set(code, rate);
	}
	return rates;
}

/** Reads the classes of those products that have one, or whose category has one. */
async function readClasses(
	context: Context,
	lines: readonly Pick<Line, "productId">[],
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
