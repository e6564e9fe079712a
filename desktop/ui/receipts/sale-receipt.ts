import type { Business } from "../../../sync/entities/business.ts";
import {
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import { taxesIn, taxIn } from "../../../sync/entities/tax-amount.ts";
import { localTimes } from "../../../sync/protocol/clock.ts";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import type { CompletedSale } from "../till/sale.ts";

/** The answer of `receipt.get` about a sale just made on this device, without asking: a receipt shows at once. */
export function toReceipt(
	sale: CompletedSale,
	shop: Business,
	cashier: string,
): Receipt {
	const { args, at, change, paid, total } = sale;
	return {
		id: args.id,
		number: args.receiptNumber ?? null,
		business: {
			name: shop.name,
			header: shop.receiptHeader,
			footer: shop.receiptFooter,
			currency: shop.currency,
			language: shop.receiptLanguage ?? undefined,
			logoUrl: shop.receiptLogoUrl ?? undefined,
		},
		cashier,
		createdAt: at,
		localTime: localTimes(shop.timeZone)(at),
		businessDay: args.businessDay ?? "",
		lines: args.items.map((item) => ({
			name: item.name,
			quantity: item.quantity,
			packName: item.packName,
			packSize: item.packSize,
			unit: item.unit,
			price: item.price,
			listPrice: isDiscounted(item) ? item.listPrice : undefined,
			total: toDecimal(totalMicros([item])),
			refunded: 0,
			taxClass: item.taxClass,
		})),
		taxes: taxesIn(args.items.map(taxedOf)),
		discount: discountOf(args.items),
		total,
		paymentMethod: args.paymentMethod ?? "CASH",
		paymentCode: args.paymentCode,
		...paymentsOf(sale),
		paid,
		rounding: args.rounding || undefined,
		change,
		notes: args.notes ?? null,
		status: "sold",
		refunds: [],
		refundedTotal: 0,
	};
}

/** What the sale's payments say, where it was paid by several methods or by a named customer. */
function paymentsOf({
	args: { tenders, customerId },
	lent,
	customer,
}: CompletedSale): Partial<Receipt> {
	if (!tenders && customerId === undefined) return {};
	const credit = lent > 0 ? [{ method: "CREDIT", amount: lent }] : [];
	const all = [...(tenders ?? []), ...credit];
	const [method = "CREDIT", ...others] = new Set(
		all.map(({ method }) => method),
	);
	return {
		paymentMethod: others.length === 0 ? method : "MIXED",
		tenders: all,
		customer: customer && {
			name: customer.name,
			balance: toDecimal(toMicros(customer.balance) + toMicros(lent)),
		},
	};
}

type Item = CompletedSale["args"]["items"][number];

/** A line as its row will have it, in millionths. */
function taxedOf({ price, quantity, taxClass, taxRate }: Item) {
	const line = { price: toMicros(price), quantity: toMicros(quantity) };
	if (taxRate === undefined) return line;
	const rate = toMicros(taxRate);
	const tax = taxIn(sumOfProducts([line]), rate);
	return { ...line, taxClass, taxRate: rate, tax };
}

/** A cashier may also have raised the price, which is no discount. */
function isDiscounted({ listPrice, price }: Item): boolean {
	return listPrice !== undefined && listPrice > price;
}

function discountOf(items: Item[]): number | undefined {
	if (!items.some(isDiscounted)) return undefined;
	const listed = items.map((item) =>
		isDiscounted(item) ? { ...item, price: item.listPrice ?? 0 } : item,
	);
	return toDecimal(totalMicros(listed) - totalMicros(items));
}

function totalMicros(items: Pick<Item, "price" | "quantity">[]): number {
	return sumOfProducts(
		items.map(({ price, quantity }) => ({
			price: toMicros(price),
			quantity: toMicros(quantity),
		})),
	);
}
