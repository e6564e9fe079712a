import * as z from "zod";
import { ShopError } from "../protocol/errors.ts";
import {
	amount,
	computed,
	percent,
	quantity,
	recordId,
	requiredText,
	text,
} from "./fields.ts";
import { sumOfProducts } from "./money.ts";
import { linesMax } from "./sale-limits.ts";
import { hasWholePack, linePack } from "./sale-pack.ts";
import { taxCode } from "./tax.ts";

export const saleItemRow = z.object({
	id: recordId,
	saleId: recordId,
	name: text(500),
	quantity,
	price: amount,
	cost: amount,
	productId: recordId.nullable(),
	/** The unit price before a discount. Absent without one. */
	listPrice: amount.optional(),
	/** True if a line with a product took nothing from its stock: a service, or more than can be counted. Else absent. */
	isStockless: z.boolean().optional(),
	/** The class of its tax, the rate in percent, and the tax that its price includes. Absent without tax. */
	taxClass: taxCode.optional(),
	taxRate: percent.optional(),
	tax: computed.optional(),
	/** What packSize counts, or without a pack the quantity, whatever its product is counted in later. Absent for pieces. */
	unit: requiredText(20).optional(),
	...linePack,
});

export const saleItemArgs = z
	.strictObject({
		...saleItemRow.omit({ saleId: true, isStockless: true, tax: true }).shape,
		productId: recordId.nullable().default(null),
		isService: z.boolean().default(false),
	})
	.refine(
		({ taxClass, taxRate }) =>
			(taxClass === undefined) === (taxRate === undefined),
		{ message: "Needs taxClass and taxRate, or neither", path: ["taxRate"] },
	)
	.refine(hasWholePack, {
		message:
			"Needs packId, packName and packSize of its product, or none of them, and at most a billion units",
		path: ["packSize"],
	});

/** The lines of a sale, or of what is promised. */
export const saleItems = z
	.array(saleItemArgs)
	.min(1)
	.max(linesMax)
	.refine(
		(lines) => new Set(lines.map(({ id }) => id)).size === lines.length,
		"Two lines have the same id",
	);

/** Adds up lines. @throws ShopError `invalid_args` if the sum is too large to count exactly */
export function totalOf(
	lines: readonly { price: number; quantity: number }[],
): number {
	const total = sumOfProducts(lines);
	if (Number.isSafeInteger(total)) return total;
	throw new ShopError(
		"invalid_args",
		"The total is too large to count exactly",
		"items",
	);
}
