import * as z from "zod";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import { amount, recordId, requiredText, text, timestamp } from "./fields.ts";

export const labelRow = z
	.object({
		/** The product's, or its pack's. */
		id: recordId,
		businessId: recordId,
		name: requiredText(500),
		price: amount,
		/** As its barcode; null without one. */
		code: text(100).nullable(),
		createdAt: timestamp,
		updatedAt: timestamp,
	})
	.meta({ id: "Label" });
export type Label = z.input<typeof labelRow>;

/** What stands on the label of a product or pack that was printed last: another one is due once the product differs. */
export const label = defineEntity({
	name: "label",
	table: "labels",
	row: labelRow,
	editable: true,
});

const { name, price, code } = labelRow.shape;

/** Says what was printed on a product's label. Of two tills, the one that printed later wins. */
export const labelSet = defineMutation({
	name: "label.set",
	args: z.strictObject({ id: recordId, name, price, code: code.default(null) }),
	roles: managing,
	sentence: ({ name, price }) => `Printed a label "${name}" for ${price}`,
	examples: [
		{ id: "label", name: "Soda 500 ml", price: 65, code: "5449000000996" },
	],
	async apply(context, { id, ...set }) {
		if (!(await context.find(label, id)))
			await context.insert(label, {
				...{ ...set, id },
				businessId: context.businessId,
				createdAt: context.at,
				updatedAt: context.at,
			});
		await context.edit(label, id, set);
	},
});
