import type * as z from "zod";
import { canonicalJson } from "../protocol/json.ts";
import { toWire } from "../rows/rows.ts";
import { sale } from "./sale.ts";

/*
 * A sale's row says almost all that its mutation said. What is left is how it was said: which fields were absent, null or
 * their default. That is its shape, a number, by which the row spells the mutation's arguments again.
 */

/** The flags of a shape. */
const flags = {
	businessDay: 1,
	/** Given as null. */
	notes: 2,
	receiptNumber: 4,
	productId: 8,
	paymentMethod: 16,
	/** Given as false. */
	isService: 32,
	/** Given as null, as 0, and as an amount. */
	paidNull: 64,
	paidZero: 128,
	paid: 256,
	/** Given as 0. */
	rounding: 512,
} as const;

type StoredSale = z.output<typeof sale.row>;
type Wire = Record<string, unknown>;

/**
 * Returns the shape by which a sale's row spells its arguments.
 *
 * @param text the arguments as canonical JSON
 * @returns undefined if the row can't spell them, such as a price of seven decimals
 */
export function shapeOf(text: string, row: StoredSale): number | undefined {
	const args: Wire = JSON.parse(text);
	const lines = args.items as Wire[];
	const isGiven = {
		businessDay: args.businessDay !== undefined,
		notes: args.notes === null,
		receiptNumber: args.receiptNumber === null,
		productId: lines.some(({ productId }) => productId === null),
		paymentMethod: args.paymentMethod !== undefined,
		isService: lines.some(({ isService }) => isService === false),
		paidNull: args.paid === null,
		paidZero: args.paid === 0,
		paid: typeof args.paid === "number" && args.paid !== 0,
		rounding: args.rounding === 0,
	};
	let shape = 0;
	for (const [flag, value] of Object.entries(flags))
		if (isGiven[flag as keyof typeof flags]) shape += value;
	return spellArgs(row, shape) === text ? shape : undefined;
}

/** Spells the arguments that a sale was made with, as canonical JSON. */
export function spellArgs(row: StoredSale, shape: number): string {
	const has = (flag: keyof typeof flags) => (shape & flags[flag]) !== 0;
	const wire = toWire(sale, row);
	const { id, notes, receiptNumber, rounding, paymentCode, shiftId } = wire;
	const args: Wire = {
		id,
		items: (wire.items as Wire[]).map((line) => lineArgs(line, has)),
	};
	if (has("businessDay")) args.businessDay = wire.businessDay;
	if (notes !== null || has("notes")) args.notes = notes;
	if (receiptNumber !== null || has("receiptNumber"))
		args.receiptNumber = receiptNumber;
	if (has("paymentMethod")) args.paymentMethod = wire.paymentMethod;
	if (has("paidNull")) args.paid = null;
	else if (has("paidZero")) args.paid = 0;
	else if (has("paid")) args.paid = wire.paid;
	if (paymentCode !== undefined) args.paymentCode = paymentCode;
	if (shiftId !== undefined) args.shiftId = shiftId;
	if (rounding !== undefined) args.rounding = rounding;
	else if (has("rounding")) args.rounding = 0;
	return canonicalJson(args);
}

function lineArgs(
	{ saleId: _, tax: __, productId, isStockless, ...line }: Wire,
	has: (flag: keyof typeof flags) => boolean,
): Wire {
	const args: Wire = line;
	if (productId !== null || has("productId")) args.productId = productId;
	if (isStockless) args.isService = true;
	else if (has("isService")) args.isService = false;
	return args;
}
