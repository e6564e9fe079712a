import * as z from "zod";
import { checkDigitOf } from "./gtin.ts";

/*
 * A scale in the shop prints an EAN-13 whose first digits are kept for it: `PP IIIII VVVVV C`, the prefix, the product, what was
 * weighed, and the check digit. How many digits each part has, and whether the value is a weight or a price, differs from scale
 * to scale, so that the owner says it once for each prefix.
 */

/** How the labels with one prefix are read. */
export const scaleLabel = z
	.strictObject({
		/** The first two of 13 digits. Of a UPC, which has 12, it is 02. */
		prefix: z.string().regex(/^(2\d|02)$/, "Must be 02 or 20 to 29"),
		holds: z.enum(["weight", "price"]),
		/** The digits that name the product. The value has what is left before the check digit. */
		itemDigits: z.int().min(4).max(6),
		/** True if a digit that only checks the value stands before it. */
		hasValueCheck: z.boolean(),
		/** How many of the value's digits are decimals. */
		decimals: z.int().min(0).max(3),
	})
	.meta({ id: "ScaleLabel" });
export type ScaleLabel = z.output<typeof scaleLabel>;

/** What a label says. */
interface ReadLabel {
	/** The codes that its product may have, the likeliest first. */
	codes: string[];
	holds: ScaleLabel["holds"];
	/** In decimals: in the product's unit, such as kilograms, or in the shop's currency. */
	value: number;
}

const length = 13;

/** Reads a scanned code as a scale's label. @returns undefined if it is none, or was misread */
export function readScaleLabel(
	scanned: string,
	labels: readonly ScaleLabel[],
): ReadLabel | undefined {
	if (!/^\d{12,13}$/.test(scanned)) return undefined;
	const code = scanned.padStart(length, "0");
	const label = labels.find(({ prefix }) => code.startsWith(prefix));
	if (!label || checkDigitOf(code.slice(0, -1)) !== code.at(-1))
		return undefined;
	const { itemDigits, hasValueCheck, decimals, holds } = label;
	const itemEnd = 2 + itemDigits;
	const item = code.slice(2, itemEnd);
	const value = code.slice(itemEnd + Number(hasValueCheck), -1);
	const bare = code.slice(0, itemEnd).padEnd(length - 1, "0");
	const codes = [
		code.slice(0, itemEnd),
		item,
		item.replace(/^0+(?=\d)/, ""),
		`${bare}${checkDigitOf(bare)}`,
	];
	return {
		...{ codes: [...new Set(codes)], holds },
		value: Number(value) / 10 ** decimals,
	};
}
