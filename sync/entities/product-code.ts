import * as z from "zod";
import { ShopError } from "../protocol/errors.ts";
import type { Connection, Value } from "../store/store.ts";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import { recordId, requiredText, timestamp } from "./fields.ts";
import { codeKeys, keyOf } from "./gtin.ts";

export const productCodeRow = z
	.object({
		id: recordId,
		businessId: recordId,
		productId: recordId,
		/** As it was given: any form of a barcode, or what the shop or a supplier calls the product. */
		code: requiredText(100),
		createdAt: timestamp,
		/** What is sold when it is scanned. Absent for the product's own unit. */
		packId: recordId.optional(),
	})
	.meta({ id: "ProductCode" });
export type ProductCode = z.input<typeof productCodeRow>;

/** A further code of a product, besides its `sku`: another barcode on the same goods, or a supplier's code. */
export const productCode = defineEntity({
	name: "code",
	table: "product_codes",
	row: productCodeRow,
});

// SQLite would rather read all products in the index of names, which has all of a condition but the name.
const byKey = (isOfWhat: string) => `id IN (
  SELECT id FROM products WHERE business_id = ? AND ${keyOf("sku")} = ? AND name IS NOT NULL
  UNION ALL SELECT product_id FROM product_codes AS codes WHERE business_id = ? AND deleted = 0 AND ${keyOf("code")} = ? AND ${isOfWhat})`;
/** Conditions on `product_codes AS codes`. Who scans a carton that is sold no more doesn't mean one piece. */
export const codesOf = {
	any: "1 = 1",
	sold: `(pack_id IS NULL OR EXISTS (
  SELECT 1 FROM product_packs AS packs WHERE packs.business_id = codes.business_id AND packs.id = codes.pack_id
    AND packs.product_id = codes.product_id AND packs.deleted = 0 AND packs.is_active = 1))`,
};
export type CodesOf = keyof typeof codesOf;

/**
 * Returns the condition for products with a code in this normal form.
 *
 * @param of `sold` leaves out the codes of packs that aren't sold
 */
export function hasKey(
	businessId: string,
	key: string,
	of: CodesOf = "any",
): { text: string; params: Value[] } {
	return {
		text: byKey(codesOf[of]),
		params: [businessId, key, businessId, key],
	};
}

/** A stored product with a code. */
export interface CodeHolder {
	id: string;
	name: string;
	isActive: boolean;
}

/** Reads the products with a code in this normal form, on sale or not. */
export async function readHolders(
	tx: Pick<Connection, "all">,
	businessId: string,
	key: string,
): Promise<CodeHolder[]> {
	const { text, params } = hasKey(businessId, key);
	const rows = await tx.all(
		`SELECT id, name, is_active FROM products WHERE business_id = ? AND deleted = 0 AND ${text}`,
		businessId,
		...params,
	);
	return rows.map(({ id, name, is_active }) => ({
		...{ id: id as string, name: name as string },
		isActive: is_active === 1,
	}));
}

const { productId, code, packId } = productCodeRow.shape;

/**
 * Gives a product a further code. Where another product on sale has it, it is refused when it is made. Two tills without a
 * network can each give it to one: both are kept, and a till that scans it asks.
 */
export const codeCreate = defineMutation({
	name: "code.create",
	args: z.strictObject({ id: recordId, productId, code, packId }),
	since: { packId: 2 },
	roles: managing,
	sentence: ({ productId, code }) =>
		`Gave product ${productId} the code "${code}"`,
	examples: [
		{ id: "code", productId: "product", code: "5000112637922" },
		{
			...{ id: "pack-code", productId: "product", packId: "pack" },
			code: "15449000000993",
		},
	],

	async prepare(context, args) {
		for (const key of codeKeys(args.code)) {
			const holders = await readHolders(context, context.businessId, key);
			const other = holders.find(
				({ id, isActive }) => isActive && id !== args.productId,
			);
			if (other)
				throw new ShopError(
					"code_taken",
					`"${other.name}" has this code`,
					"code",
				);
		}
		return args;
	},

	async apply(context, args) {
		await context.insert(productCode, {
			...args,
			businessId: context.businessId,
			createdAt: context.at,
		});
	},
});

export const codeDelete = defineMutation({
	name: "code.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted product code ${id}`,
	examples: [{ id: "code" }],
	async apply(context, { id }) {
		await context.get(productCode, id, "id");
		await context.remove(productCode, id);
	},
});
