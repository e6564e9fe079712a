import * as z from "zod";
import { writeRow } from "../rows/rows.ts";
import type { Connection } from "../store/store.ts";
import { accountCodes } from "./account-code.ts";
import { defineEntity, defineMutation, managing } from "./entity.ts";
import {
	currency,
	language,
	positiveAmount,
	recordId,
	requiredText,
	text,
	timestamp,
	timeZone,
} from "./fields.ts";
import { limitedRoles, roleLimits } from "./role-limits.ts";
import { scaleLabel } from "./scale-label.ts";
import { fieldsOf } from "./sentence.ts";
import { taxCode } from "./tax.ts";

/** A person's name of up to 200 characters followed by "'s Business". */
const nameMax = 211;
/** 02 and 20 to 29. */
const labelsMax = 11;

export const businessRow = z
	.object({
		id: recordId,
		name: requiredText(nameMax),
		currency,
		timeZone,
		cutOffHour: z.int().min(0).max(23),
		receiptHeader: text(2_000).nullable(),
		receiptFooter: text(2_000).nullable(),
		/** Whether a cashier may sell an open item: a name and a price without a product. */
		openItems: z.boolean(),
		/** What cash is rounded to. Null is the currency's usual unit. */
		cashUnit: positiveAmount.nullable(),
		/** Null is the language of the till. */
		receiptLanguage: language.nullable(),
		receiptLogoUrl: text(2_000).nullable(),
		createdAt: timestamp,
		updatedAt: timestamp,
		/** The class of all goods that name none, nor their category. Absent without taxes. */
		taxClass: taxCode.nullable().optional(),
		/** True if prices are without tax and the till adds it. Else prices include it. */
		addsTax: z.boolean().optional(),
		/** How far each role may go, a role once at most. Absent without limits. */
		limits: z
			.array(roleLimits)
			.max(limitedRoles.length)
			.refine(
				(all) => new Set(all.map(({ role }) => role)).size === all.length,
				"Names a role twice",
			)
			.optional(),
		/** After how many minutes without a touch a till asks for a PIN. Absent or null is never. */
		lockMinutes: z.int().min(1).max(120).nullable().optional(),
		/** How the labels of the shop's scales are read. Absent without any. */
		scaleLabels: z
			.array(scaleLabel)
			.max(labelsMax)
			.refine(
				(all) => new Set(all.map(({ prefix }) => prefix)).size === all.length,
				"Names a prefix twice",
			)
			.optional(),
		/** The codes of the journal's accounts in the shop's books, where they differ. Absent without any. */
		accountCodes: accountCodes.optional(),
	})
	.meta({ id: "Business" });
export type Business = z.output<typeof businessRow>;

export const business = defineEntity({
	name: "business",
	table: "businesses",
	row: businessRow,
	editable: true,
});

/** Inserts a business as its first version. No mutation creates a business, because a log belongs to one. */
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
	since: {
		"set.cashUnit": 2,
		"set.receiptLanguage": 2,
		"set.receiptLogoUrl": 2,
		"set.taxClass": 3,
		"set.addsTax": 3,
		"set.limits": 4,
		"set.lockMinutes": 4,
		"set.scaleLabels": 4,
		"set.accountCodes": 5,
	},
	roles: ["OWNER"],
	sentence: ({ set }) => `Set ${fieldsOf(set)} of the business`,
	examples: [{ set: { name: "Duka la Njeri", receiptFooter: "Karibu tena" } }],
	async apply(context, { set }) {
		await context.edit(business, context.businessId, set);
	},
});

/**
 * Moves the start of a business back, for a shop that sold on its own before it joined this server: its sales may be
 * that old.
 */
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
