import * as z from "zod";
import { writeRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import {
	currency,
	recordId,
	requiredText,
	text,
	timestamp,
	timeZone,
} from "./fields.ts";
import { fieldsOf } from "./sentence.ts";

/** Room for a person's name, of 200 characters at most, with "'s Business" behind it. */
const nameMax = 211;

export const businessRow = z
	.object({
		id: recordId,
		name: requiredText(nameMax),
		currency,
		timeZone,
		cutOffHour: z.int().min(0).max(23),
		receiptHeader: text(2_000).nullable(),
		receiptFooter: text(2_000).nullable(),
		/** Whether a cashier may sell an open item: a name and a price, and no product. */
		openItems: z.boolean(),
		createdAt: timestamp,
		updatedAt: timestamp,
	})
	.meta({ id: "Business" });
export type Business = z.output<typeof businessRow>;

export const business = defineEntity({
	name: "business",
	table: "businesses",
	row: businessRow,
	editable: true,
});

/** Makes a business with its first version. It is the one record that no mutation makes: a log needs a business first. */
export async function createBusiness(
	tx: Connection,
	row: Business,
): Promise<void> {
	await writeRow(tx, business, row.id, { row, version: 1, deleted: false });
	await tx.run("UPDATE businesses SET head = 1 WHERE business_id = ?", row.id);
}

export const businessUpdateArgs = z.strictObject({
	set: businessRow
		.omit({ id: true, createdAt: true, updatedAt: true })
		.partial()
		.strict(),
});

export const businessUpdate = defineMutation({
	name: "business.update",
	args: businessUpdateArgs,
	roles: ["OWNER"],
	sentence: ({ set }) => `Set ${fieldsOf(set)} of the business`,
	examples: [{ set: { name: "Duka la Njeri", receiptFooter: "Karibu tena" } }],
	async apply(context, { set }) {
		await context.edit(business, context.businessId, set);
	},
});

/** Says that the shop sold by itself before it came to this server, so that what it brings may be that old. */
export const businessBackdate = defineMutation({
	name: "business.backdate",
	args: z.strictObject({ createdAt: timestamp }),
	roles: managing,
	sentence: ({ createdAt }) => `Dated the business back to ${createdAt}`,
	examples: [{ createdAt: "2020-01-01T00:00:00.000Z" }],
	async apply(context, { createdAt }) {
		const { businessId } = context;
		const shop = await context.get(business, businessId, "businessId");
		if (createdAt < shop.createdAt)
			await context.update(business, businessId, { createdAt });
	},
});
