import * as z from "zod";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import { recordId, requiredText, timestamp } from "./fields.ts";
import { product } from "./product.ts";
import { fieldsOf } from "./sentence.ts";
import { taxCode } from "./tax.ts";

export const categoryRow = z
	.object({
		id: recordId,
		businessId: recordId,
		name: requiredText(200),
		sortOrder: z.int().min(-1_000_000).max(1_000_000),
		createdAt: timestamp,
		updatedAt: timestamp,
		/** The tax of its products that name none. Absent without. */
		taxClass: taxCode.nullable().optional(),
	})
	.meta({ id: "Category" });
export type Category = z.input<typeof categoryRow>;

export const category = defineEntity({
	name: "category",
	table: "categories",
	row: categoryRow,
	editable: true,
});

const { name, sortOrder, taxClass } = categoryRow.shape;

export const categoryCreate = defineMutation({
	name: "category.create",
	args: z.strictObject({
		id: recordId,
		name,
		sortOrder: sortOrder.default(0),
		taxClass,
	}),
	since: { taxClass: 2 },
	roles: managing,
	sentence: ({ name }) => `Created category "${name}"`,
	examples: [{ id: "category", name: "Drinks", sortOrder: 2 }],
	async apply(context, args) {
		await context.insert(category, {
			...args,
			businessId: context.businessId,
			createdAt: context.at,
			updatedAt: context.at,
		});
	},
});

export const categoryUpdate = defineMutation({
	name: "category.update",
	args: z.strictObject({
		id: recordId,
		set: z.strictObject({ name, sortOrder, taxClass }).partial(),
	}),
	since: { "set.taxClass": 2 },
	roles: managing,
	sentence: ({ id, set }) => `Set ${fieldsOf(set)} of category ${id}`,
	examples: [{ id: "category", set: { name: "Cold drinks" } }],
	async apply(context, { id, set }) {
		await context.get(category, id, "id");
		await context.edit(category, id, set);
	},
});

/** Deletes a category and leaves its products without one. */
export const categoryDelete = defineMutation({
	name: "category.delete",
	args: z.strictObject({ id: recordId }),
	roles: managing,
	sentence: ({ id }) => `Deleted category ${id}`,
	examples: [{ id: "category" }],
	async apply(context, { id }) {
		await context.get(category, id, "id");
		const members = await context.all(
			"SELECT id FROM products WHERE business_id = ? AND category_id = ?",
			context.businessId,
			id,
		);
		for (const member of members)
			await context.update(product, member.id as string, { categoryId: null });
		await context.remove(category, id);
	},
});
