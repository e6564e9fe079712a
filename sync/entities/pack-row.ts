import * as z from "zod";
import { defineEntity } from "./entity.ts";
import {
	amount,
	positiveAmount,
	recordId,
	requiredText,
	timestamp,
} from "./fields.ts";
import { sumOfProducts, unitMicros } from "./money.ts";

export const packRow = z
	.object({
		id: recordId,
		businessId: recordId,
		productId: recordId,
		name: requiredText(100),
		/** How many of the product's units it holds. */
		size: positiveAmount,
		/** Null is the product's price times the size. */
		sellingPrice: amount.nullable(),
		isActive: z.boolean(),
		createdAt: timestamp,
		updatedAt: timestamp,
	})
	.meta({ id: "Pack" });
export type Pack = z.input<typeof packRow>;

/** A pack as its product lists it. */
export const productPack = packRow.pick({
	...{ id: true, name: true, size: true },
	...{ sellingPrice: true, isActive: true },
});
export type ProductPack = z.input<typeof productPack>;

/** A number of a product's units that is sold as one, such as a carton. */
export const pack = defineEntity({
	name: "pack",
	table: "product_packs",
	row: packRow,
	editable: true,
});

/** The pack that a sold line fixed, with numbers in millionths. */
interface Packed {
	/** Packs, or without one the product's units. */
	quantity: number;
	packSize?: number | undefined;
}

/** Returns how many of its product's units a line is, rounded if they are more exact than a millionth. */
export function unitsOf({ quantity, packSize }: Packed): number {
	if (packSize === undefined) return quantity;
	return sumOfProducts([{ price: packSize, quantity }]);
}

export function isExact({ quantity, packSize = unitMicros }: Packed): boolean {
	return (BigInt(quantity) * BigInt(packSize)) % BigInt(unitMicros) === 0n;
}
