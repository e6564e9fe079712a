import * as z from "zod";
import { business } from "../entities/business.ts";
import { type Customer, customer } from "../entities/customer.ts";
import { accountOf } from "../entities/customer-account.ts";
import type { RowOf } from "../entities/entity.ts";
import { day, timestamp } from "../entities/fields.ts";
import { sumOfProducts, toDecimal } from "../entities/money.ts";
import {
	creditMethod,
	readCustomer,
	readPayments,
} from "../entities/payment.ts";
import { refund } from "../entities/refund.ts";
import { sale } from "../entities/sale.ts";
import { taxesIn } from "../entities/tax-amount.ts";
import { localTimes } from "../protocol/clock.ts";
import { ShopError } from "../protocol/errors.ts";
import { findWire, readRow, selectRows } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { letterhead, letterheadOf } from "./letterhead.ts";
import { defineQuery, type QueryContext } from "./query.ts";
import { anyId } from "./record.ts";
import { quantitiesBack, saleState, saleStateOf } from "./sale-state.ts";
import { userName } from "./user-name.ts";

/** The content of a printed receipt. Amounts are in the business's currency. */
export const receipt = z
	.object({
		id: z.string(),
		number: z.string().nullable(),
		business: letterhead,
		/** Null if this database does not know the account. */
		cashier: z.string().nullable(),
		createdAt: timestamp,
		/** The moment in local time, `2026-11-20 12:00`. */
		localTime: z.string(),
		businessDay: day,
		lines: z.array(
			z.object({
				name: z.string(),
				quantity: z.number(),
				/** The pack that quantity and price are of, and how many of the product's units it held. Absent without. */
				packName: z.string().optional(),
				packSize: z.number().optional(),
				/** What packSize counts, or without a pack the quantity. Absent for pieces. */
				unit: z.string().optional(),
				price: z.number(),
				/** The unit price before a discount. Absent without one. */
				listPrice: z.number().optional(),
				total: z.number(),
				/** The quantity that refunds and voids took back. */
				refunded: z.number(),
				/** Absent without tax. */
				taxClass: z.string().optional(),
			}),
		),
		/** The tax that the total includes, by class and rate in percent. Absent without tax. */
		taxes: z
			.array(
				z.object({
					taxClass: z.string(),
					taxRate: z.number(),
					net: z.number(),
					tax: z.number(),
				}),
			)
			.optional(),
		/** What all discounts took off. Absent without one. */
		discount: z.number().optional(),
		total: z.number(),
		paymentMethod: z.string(),
		/** What the payment's message or slip names it by. Absent without one. */
		paymentCode: z.string().optional(),
		/** What was handed over by each method, with what is owed as CREDIT. Absent where it was one, without a customer. */
		tenders: z
			.array(
				z.object({
					method: z.string(),
					amount: z.number(),
					code: z.string().optional(),
				}),
			)
			.optional(),
		/** Who bought, and what they owe now. Absent if nobody was named, or is known no more. */
		customer: z.object({ name: z.string(), balance: z.number() }).optional(),
		paid: z.number(),
		/** What cash was rounded by, as a part of `paid`: positive if the shop forgave it. Absent without rounding. */
		rounding: z.number().optional(),
		change: z.number(),
		notes: z.string().nullable(),
		status: saleState,
		refunds: z.array(
			z.object({
				kind: z.enum(["void", "refund"]),
				reason: z.string(),
				total: z.number(),
				createdAt: timestamp,
			}),
		),
		/** The total of all refunds and voids. */
		refundedTotal: z.number(),
	})
	.meta({ id: "Receipt" });
export type Receipt = z.infer<typeof receipt>;

export const receiptGet = defineQuery({
	name: "receipt.get",
	summary: "A sale's receipt, by the sale's id",
	args: z.strictObject({ id: anyId }),
	answer: receipt,
	older: "sale",
	run: ({ tx, businessId }, { id }) => readReceipt(tx, businessId, id),
});

async function readReceipt(
	tx: Connection,
	businessId: string,
	saleId: string,
): Promise<Receipt> {
	const found = await readRow(tx, sale, businessId, saleId);
	const shop = await readRow(tx, business, businessId, businessId);
	if (!found || found.deleted || !shop)
		throw new ShopError("not_found", "Receipt not found");
	const { row } = found;
	const refunds = (
		await selectRows(
			tx,
			refund,
			businessId,
			// Pending refunds have no version yet, and come last.
			"AND sale_id = ? AND deleted = 0 ORDER BY version < 1, version, created_at, id",
			saleId,
		)
	).map((one) => one.row);
	const back = quantitiesBack(refunds);
	return {
		id: row.id,
		number: row.receiptNumber,
		business: letterheadOf(shop.row),
		cashier: await userName({ tx }, row.userId),
		createdAt: row.createdAt,
		localTime: localTimes(shop.row.timeZone)(row.createdAt),
		businessDay: row.businessDay,
		lines: row.items.map((item) => ({
			name: item.name,
			quantity: toDecimal(item.quantity),
			packName: item.packName,
			packSize:
				item.packSize === undefined ? undefined : toDecimal(item.packSize),
			unit: item.unit,
			price: toDecimal(item.price),
			listPrice: isDiscounted(item) ? toDecimal(item.listPrice) : undefined,
			total: toDecimal(sumOfProducts([item])),
			refunded: toDecimal(back.get(item.id) ?? 0),
			taxClass: item.taxClass,
		})),
		taxes: taxesIn(row.items),
		discount: discountOf(row),
		total: toDecimal(row.total),
		paymentMethod: row.paymentMethod,
		paymentCode: row.paymentCode,
		...(row.hasPayments && (await paymentsOf({ tx, businessId }, row))),
		paid: toDecimal(row.paid),
		rounding: row.rounding === undefined ? undefined : toDecimal(row.rounding),
		change: toDecimal(row.paid - row.total),
		notes: row.notes,
		status: saleStateOf(row.items, refunds),
		refunds: refunds.map(({ kind, reason, total, createdAt }) => ({
			kind,
			reason,
			total: toDecimal(total),
			createdAt,
		})),
		refundedTotal: toDecimal(
			refunds.reduce((sum, { total }) => sum + total, 0),
		),
	};
}

async function paymentsOf(
	{ tx, businessId }: Pick<QueryContext, "tx" | "businessId">,
	{ id, paid, total }: RowOf<typeof sale>,
): Promise<Pick<Receipt, "tenders" | "customer">> {
	const payments = await readPayments(tx, businessId, "sale", [id]);
	const change = Math.max(paid - total, 0);
	const customerId = await readCustomer(tx, businessId, id);
	const found =
		customerId === null
			? undefined
			: await findWire<Customer>(
					tx,
					customer,
					businessId,
					await accountOf(tx, businessId, customerId),
				);
	return {
		// The change was given out of the cash.
		tenders: payments
			.map(({ amount, ...payment }) => ({
				...payment,
				amount: toDecimal(payment.method === "CASH" ? amount + change : amount),
			}))
			.filter(({ amount }) => amount > 0)
			.sort((a, b) => rankOf(a.method) - rankOf(b.method)),
		customer: found && { name: found.name, balance: found.balance },
	};
}

/** Cash comes first, and what is lent last. */
function rankOf(method: string): number {
	return method === "CASH" ? 0 : method === creditMethod ? 2 : 1;
}

type Item = RowOf<typeof sale>["items"][number];

/** A cashier may also have raised the price, which is no discount. */
function isDiscounted(item: Item): item is Item & { listPrice: number } {
	return item.listPrice !== undefined && item.listPrice > item.price;
}

function discountOf({ items, total }: RowOf<typeof sale>): number | undefined {
	if (!items.some(isDiscounted)) return undefined;
	const listed = sumOfProducts(
		items.map((item) =>
			isDiscounted(item) ? { ...item, price: item.listPrice } : item,
		),
	);
	return toDecimal(listed - total);
}
