import { cashMove, drawerOpen } from "../entities/cash.ts";
import { deliveryCreate } from "../entities/delivery.ts";
import type { Mutation } from "../entities/entity.ts";
import { layawayCreate } from "../entities/layaway.ts";
import { toDecimal, toMicros } from "../entities/money.ts";
import {
	creditMethod,
	paymentAdjust,
	paymentCollect,
	readCustomer,
	readPayments,
	sumOf,
	type Tender,
} from "../entities/payment.ts";
import { paymentPayout } from "../entities/payout.ts";
import { saleRefund, saleVoid } from "../entities/refund.ts";
import { cartRemove } from "../entities/removal.ts";
import { saleCreate } from "../entities/sale.ts";
import { shiftClose, shiftOpen } from "../entities/shift.ts";
import { paymentRemit } from "../entities/supplier-payment.ts";
import type { Connection } from "../store/store.ts";

/*
 * Mutations that make facts again from their rows, for a server that lost them. Each says what makes the same row and the
 * same payments.
 */

/** The mutation that makes a row again. */
export interface Remade {
	mutation: Mutation;
	args: Record<string, unknown>;
}

/** A row in wire form. */
type Wire = Record<string, unknown>;

export async function remakeSale(
	tx: Connection,
	businessId: string,
	row: Wire,
): Promise<Remade> {
	const { id, rounding, notes, receiptNumber, businessDay, shiftId } = row;
	const items = (row.items as Wire[]).map(
		({ saleId: _, tax: __, isStockless = false, ...line }) => ({
			...line,
			isService: isStockless,
		}),
	);
	const paid = row.hasPayments
		? await paymentArgs(tx, businessId, row)
		: {
				...{ paid: row.paid, paymentMethod: row.paymentMethod },
				...(row.paymentCode !== undefined && {
					paymentCode: row.paymentCode,
				}),
			};
	return {
		mutation: saleCreate,
		args: {
			...{ id, items, ...paid, notes, receiptNumber, businessDay },
			...(rounding !== undefined && { rounding }),
			...(shiftId !== undefined && { shiftId }),
			...(await handedOver(tx, businessId, id)),
		},
	};
}

/** The layaway that a sale completed. */
async function handedOver(
	tx: Connection,
	businessId: string,
	saleId: unknown,
): Promise<Wire> {
	const found = await tx.get(
		"SELECT id FROM layaways WHERE business_id = ? AND sale_id = ?",
		...[businessId, saleId as string],
	);
	return found ? { layawayId: found.id } : {};
}

export async function remakeLayaway(
	_tx: Connection,
	_businessId: string,
	{ id, customerId, items, dueDay, businessDay }: Wire,
): Promise<Remade> {
	const args = { id, customerId, items, dueDay, businessDay };
	return { mutation: layawayCreate, args };
}

/** What was handed over, with the change, and who owes the rest. */
async function paymentArgs(
	tx: Connection,
	businessId: string,
	{ id, change, paymentMethod }: Wire,
): Promise<Wire> {
	const saleId = id as string;
	const over = Math.max(toMicros(change as number), 0);
	const customerId = await readCustomer(tx, businessId, saleId);
	const payments = await readPayments(tx, businessId, "sale", [saleId]);
	const isCash = ({ method, code }: Tender) => method === "CASH" && !code;
	const tenders = [
		...payments.filter((one) => !isCash(one) && one.method !== creditMethod),
		// All of the cash may have been given back, so that no payment tells of it.
		{ method: "CASH", amount: sumOf(payments.filter(isCash)) + over },
	]
		.filter(({ amount }) => amount > 0)
		.map((one) => ({ ...one, amount: toDecimal(one.amount) }));
	return {
		...(tenders.length > 0 ? { tenders } : { paymentMethod }),
		...(customerId !== null && { customerId }),
	};
}

export async function remakeRefund(
	tx: Connection,
	businessId: string,
	row: Wire,
): Promise<Remade> {
	const { id, saleId, kind, reason, restock, businessDay, shiftId } = row;
	const tenders = await givenBack(tx, businessId, row);
	const shared = {
		...{ id, saleId, reason, restock, businessDay },
		...(tenders.length > 0 && { tenders }),
		...(shiftId !== undefined && { shiftId }),
	};
	if (kind === "void") return { mutation: saleVoid, args: shared };
	const items = (row.items as Wire[]).map(
		({ refundId: _, tax: __, ...line }) => line,
	);
	return { mutation: saleRefund, args: { ...shared, items } };
}

async function givenBack(
	tx: Connection,
	businessId: string,
	{ id, total, rounding = 0, paymentMethod, hasPayments }: Wire,
): Promise<object[]> {
	if (hasPayments)
		return (await readPayments(tx, businessId, "refund", [id as string])).map(
			toWire(-1),
		);
	const amount = toDecimal(
		toMicros(total as number) - toMicros(rounding as number),
	);
	return paymentMethod !== undefined && amount > 0
		? [{ method: paymentMethod, amount }]
		: [];
}

export async function remakeDelivery(
	tx: Connection,
	businessId: string,
	row: Wire,
): Promise<Remade> {
	const { id, supplierId, number, isReturn, items, businessDay } = row;
	const [money] = await tx.all(
		"SELECT max(shift_id) AS shift FROM payments WHERE business_id = ? AND fact_id = ? AND kind = 'supplier'",
		...[businessId, id as string],
	);
	const paid = await readPayments(tx, businessId, "supplier", [id as string]);
	return {
		mutation: deliveryCreate,
		args: {
			...{ id, number, isReturn, items, businessDay },
			...(supplierId !== undefined && { supplierId }),
			...(paid.length > 0 && { tenders: paid.map(toWire(isReturn ? 1 : -1)) }),
			...(money?.shift && { shiftId: money.shift }),
			// The products' own rows say what they cost now.
			setsCosts: false,
		},
	};
}

/** @returns undefined for a payment that comes with its sale, its refund, its delivery or its collection */
export async function remakePayment(
	tx: Connection,
	businessId: string,
	{ id, factId, kind, amount, customerId, category, ...row }: Wire,
): Promise<Remade | undefined> {
	if (id !== factId) return undefined;
	const { reason, businessDay, shiftId, layawayId } = row;
	const moved = {
		...{ id, reason, businessDay },
		...(shiftId !== undefined && { shiftId }),
	};
	if (kind === "drawer") return { mutation: drawerOpen, args: moved };
	if (kind === "removal") return { mutation: cartRemove, args: moved };
	if (kind === "supplier") {
		const { supplierId } = row;
		const paid = await readPayments(tx, businessId, kind, [id as string]);
		const tenders = paid.map(toWire(-1));
		return { mutation: paymentRemit, args: { ...moved, supplierId, tenders } };
	}
	if (kind === "cash")
		return { mutation: cashMove, args: { ...moved, amount, category } };
	const shared = {
		...{ ...moved, customerId },
		...(layawayId !== undefined && { layawayId }),
	};
	if (kind === "adjustment")
		return { mutation: paymentAdjust, args: { ...shared, amount } };
	const isPaidOut = (amount as number) > 0;
	const tenders = (
		await readPayments(tx, businessId, "collection", [id as string])
	)
		.filter(({ method }) => method !== creditMethod)
		.map(toWire(isPaidOut ? -1 : 1));
	const mutation = isPaidOut ? paymentPayout : paymentCollect;
	return { mutation, args: { ...shared, tenders } };
}

const toWire =
	(sign: 1 | -1) =>
	({ amount, ...one }: Tender) => ({
		...one,
		amount: toDecimal(sign * amount),
	});

export async function remakeShift(
	_tx: Connection,
	_businessId: string,
	{ id, openingFloat, drawerId, businessDay }: Wire,
): Promise<Remade> {
	const args = { id, openingFloat, drawerId, businessDay };
	return { mutation: shiftOpen, args };
}

export async function remakeShiftReport(
	_tx: Connection,
	_businessId: string,
	{ counted, pieces, figures, ...row }: Wire,
): Promise<Remade> {
	const { id, shiftId, leftInDrawer, reason, seen, businessDay } = row;
	return {
		mutation: shiftClose,
		args: {
			...{ id, shiftId, leftInDrawer, reason, seen, businessDay },
			counted: JSON.parse(counted as string),
			pieces: pieces === null ? null : JSON.parse(pieces as string),
			figures: JSON.parse(figures as string),
		},
	};
}
