import type { Business } from "../../../sync/entities/business.ts";
import {
	sumOfProducts,
	toDecimal,
	toMicros,
} from "../../../sync/entities/money.ts";
import { localTimes } from "../../../sync/protocol/clock.ts";
import type { Receipt } from "../../../sync/queries/receipt.ts";
import type { CompletedSale } from "../till/sale.ts";

/** The answer of `receipt.get` about a sale just made on this device, without asking: a receipt shows at once. */
export function toReceipt(
	{ args, at, change, paid, total }: CompletedSale,
	shop: Business,
	cashier: string,
): Receipt {
	return {
		id: args.id,
		number: args.receiptNumber ?? null,
		business: {
			name: shop.name,
			header: shop.receiptHeader,
			footer: shop.receiptFooter,
			currency: shop.currency,
		},
		cashier,
		createdAt: at,
		localTime: localTimes(shop.timeZone)(at),
		businessDay: args.businessDay ?? "",
		lines: args.items.map(({ name, quantity, price }) => ({
			name,
			quantity,
			price,
			total: toDecimal(
				sumOfProducts([
					{ price: toMicros(price), quantity: toMicros(quantity) },
				]),
			),
			refunded: 0,
		})),
		total,
		paymentMethod: args.paymentMethod ?? "CASH",
		paid,
		change,
		notes: args.notes ?? null,
		status: "sold",
		refunds: [],
		refundedTotal: 0,
	};
}
