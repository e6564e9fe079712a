import * as z from "zod";
import { defineEntity, defineMutation } from "./entity.ts";
import { recordId, requiredText, timestamp } from "./fields.ts";

export const reviewRow = z
	.object({
		id: recordId,
		businessId: recordId,
		rating: z.int().min(1).max(5),
		text: requiredText(5_000),
		userId: recordId.nullable(),
		createdAt: timestamp,
	})
	.meta({ id: "Review" });
export type Review = z.input<typeof reviewRow>;

/** A member's opinion of Counterfoil. */
export const review = defineEntity({
	name: "review",
	table: "reviews",
	row: reviewRow,
});

export const reviewCreate = defineMutation({
	name: "review.create",
	args: z.strictObject({
		id: recordId,
		rating: reviewRow.shape.rating,
		text: reviewRow.shape.text,
	}),
	sentence: ({ rating }) => `Reviewed the app with ${rating}`,
	examples: [{ id: "review", rating: 5, text: "It sells without the network" }],
	async apply(context, args) {
		await context.insert(review, {
			...args,
			businessId: context.businessId,
			userId: context.userId,
			createdAt: context.at,
		});
	},
});
