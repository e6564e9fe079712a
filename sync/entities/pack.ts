import * as z from "zod";
import { defineMutation, managing } from "./entity.ts";
import { recordId } from "./fields.ts";
import { pack, packRow } from "./pack-row.ts";
import { fieldsOf } from "./sentence.ts";

const { name, size, sellingPrice, isActive } = packRow.shape;

/** Adds a pack. Its product may have been created by another till that has not synced yet. */
export const packCreate = defineMutation({
	name: "pack.create",
	args: z.strictObject({
		id: recordId,
		productId: recordId,
		name,
		size,
		sellingPrice: sellingPrice.default(null),
	}),
	roles: managing,
	sentence: ({ name, size, productId }) =>
		`Created pack "${name}" of ${size} of product ${productId}`,
	examples: [
		{
			...{ id: "pack", productId: "product" },
			...{ name: "Carton", size: 24, sellingPrice: 1_400 },
		},
	],
	async apply(context, args) {
		await context.insert(pack, {
			...args,
			isActive: true,
			businessId: context.businessId,
			createdAt: context.at,
			updatedAt: context.at,
		});
	},
});

/** Edits a pack. What was sold in it before keeps its name and size. */
export const packUpdate = defineMutation({
	name: "pack.update",
	args: z.strictObject({
		id: recordId,
		set: z.strictObject({ name, size, sellingPrice, isActive }).partial(),
	}),
	roles: managing,
	sentence: ({ id, set }) => `Set ${fieldsOf(set)} of pack ${id}`,
	examples: [{ id: "pack", set: { sellingPrice: 1_380 } }],
	async apply(context, { id, set }) {
		await context.get(pack, id, "id");
		await context.edit(pack, id, set);
	},
});

export const packDelete = defineMutation({
	name: "pack.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted pack ${id}`,
	examples: [{ id: "pack" }],
	async apply(context, { id }) {
		await context.get(pack, id, "id");
		await context.remove(pack, id);
	},
});
