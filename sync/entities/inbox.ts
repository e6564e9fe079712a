import * as z from "zod";
import {
	type Context,
	defineEntity,
	defineMutation,
	managing,
} from "./entity.ts";
import { computed, recordId, requiredText, timestamp } from "./fields.ts";
import { sumMax } from "./money.ts";

/**
 * What looks wrong about a sale or a shift that the server had to accept, because goods and money have changed hands.
 *
 * | cause | what a person should check | quantity | amount |
 * |---|---|---|---|
 * | unknown_product | a line names a product that this shop does not have | sold | |
 * | inactive_product | a line sold a deactivated product | sold | |
 * | oversold | the sale took more than was in stock | the shortfall | |
 * | old_price | the till had not received a price change | sold | the price charged |
 * | uncountable_stock | the product's stock is too large to count: this line did not move it | sold or taken back | |
 * | over_limit | a customer owes more than their limit, or goods were sold on the credit of nobody known | | by how much |
 * | code_reused | the payment's code was given for another payment | | the payment |
 * | discount_over_limit | a member sold for less than the owner lets them | sold | what it cost the shop |
 * | open_item_over_limit | a line without a product cost more than its seller may ask | sold | what it cost |
 * | refund_over_limit | more was given back than the owner lets that member, or than was paid | | what was given back, or by how much |
 * | void_over_limit | a larger sale was voided than the owner lets that member | | what was given back |
 * | others_sale_taken_back | a member refunded or voided another's sale, and may not | | what was given back |
 * | cash_over_limit | more was taken out of the drawer than the owner lets that member, maybe as change | | what was taken |
 * | drawer_opened | a member opened the drawer without a sale, and may not | | |
 * | bad_approval | an approval that came with it is not its approver's, or is for less | | what it should have covered |
 * | pin_locked | a till locked a member's PIN after wrong ones; the log says whose | | |
 * | late_for_shift | a sale, refund or payment came after its shift was counted without it | | what it moved |
 * | drawer_differs | a count found more or less than there should be, or a shift began with less than the last one left | | the difference |
 * | figures_differ | the server adds up a closed shift otherwise than its till did, or its report names facts that it does not count | | the difference in cash |
 * | closed_twice | a shift was counted again after its close | | |
 * | layaway_ended | goods were handed over, or promised back, of a layaway that had ended before | | their total |
 * | paid_out_too_much | a customer got more money back than was theirs | | by how much |
 * | clock | the till's clock or day was wrong; the server dated the sale, void or refund | | its total |
 */
const inboxCauses = [
	"unknown_product",
	"inactive_product",
	"oversold",
	"old_price",
	"uncountable_stock",
	"over_limit",
	"code_reused",
	"discount_over_limit",
	"open_item_over_limit",
	"refund_over_limit",
	"void_over_limit",
	"others_sale_taken_back",
	"cash_over_limit",
	"drawer_opened",
	"bad_approval",
	"pin_locked",
	"late_for_shift",
	"drawer_differs",
	"figures_differ",
	"closed_twice",
	"layaway_ended",
	"paid_out_too_much",
	"clock",
] as const;

export const inboxItemRow = z.object({
	id: recordId,
	cause: z.enum(inboxCauses),
	/** Null if it is about something else. */
	saleId: recordId.nullable(),
	productId: recordId.nullable(),
	quantity: computed.nullable(),
	amount: computed.nullable(),
	deviceId: recordId.nullable(),
	createdAt: timestamp,
	/** Why it was dismissed: a word such as `counted`, or a person's own. Null while it is open. */
	resolution: requiredText(200).nullable(),
	/** When it was last dismissed or reopened: of two tills' decisions, the later one holds. */
	decidedAt: timestamp.nullable(),
	decidedBy: recordId.nullable(),
	/** Absent if it is about no shift. */
	shiftId: recordId.optional(),
});
export type InboxItem = z.input<typeof inboxItemRow>;

export type StoredItem = z.output<typeof inboxItemRow>;

/** One item of the inbox. */
export const inboxItem = defineEntity({
	name: "inboxItem",
	table: "inbox_items",
	row: inboxItemRow,
});

/** An inbox item to raise. Fields that its cause does not use are null. */
export type InboxConcern = Pick<z.output<typeof inboxItemRow>, "cause"> &
	Partial<z.output<typeof inboxItemRow>>;

export async function raise(
	context: Context,
	saleId: string | null,
	concern: InboxConcern,
): Promise<void> {
	const id = context.nextId();
	// A server that is built from the copy of a till that was joining has items before what they are about.
	if (await context.find(inboxItem, id)) return;
	const { amount = null } = concern;
	await context.insert(inboxItem, {
		id,
		saleId,
		productId: null,
		quantity: null,
		deviceId: context.deviceId,
		createdAt: context.at,
		resolution: null,
		decidedAt: null,
		decidedBy: null,
		...concern,
		// A difference of sums may be larger than a sum can be: what it is about is recorded anyway.
		amount: amount && Math.max(-sumMax, Math.min(amount, sumMax)),
	});
}

/** How many items one mutation dismisses or reopens at most. */
export const inboxIdsMax = 500;

/** Why an item is settled that a PIN approved before it was made. No person can give this reason. */
export const approvedByPin = "approved by PIN";

const ids = z
	.array(recordId)
	.min(1)
	.max(inboxIdsMax)
	.describe("The items; unknown ones are skipped");

/**
 * Dismisses items: somebody has looked at them. They stay in the feed, in archives and in exports.
 *
 * Cashiers may not: they may not correct the stock either, and what a cashier sold oddly is for somebody else to judge.
 */
export const inboxDismiss = defineMutation({
	name: "inbox.dismiss",
	args: z.strictObject({
		ids,
		reason: inboxItemRow.shape.resolution
			.unwrap()
			.refine((reason) => reason !== approvedByPin, "Only a PIN says so"),
		/**
		 * What the items were about. The server may find something else odd about an unsent sale than its till did, and use
		 * the same id for it; such an item stays open.
		 */
		seen: z
			.strictObject({
				cause: inboxItemRow.shape.cause,
				productId: inboxItemRow.shape.productId,
			})
			.optional(),
	}),
	roles: managing,
	sentence: ({ ids, reason }) => `Dismissed ${countOf(ids)}: ${reason}`,
	examples: [
		{ ids: ["item"], reason: "right" },
		{
			ids: ["item", "another item"],
			reason: "counted",
			seen: { cause: "oversold", productId: "product" },
		},
	],
	async apply(context, { ids, reason, seen }) {
		for (const item of await findItems(context, ids)) {
			const isOther =
				seen &&
				(seen.cause !== item.cause || seen.productId !== item.productId);
			if (!isOther) await decide(context, item, reason);
		}
	},
});

/** Opens dismissed items again. */
export const inboxReopen = defineMutation({
	name: "inbox.reopen",
	args: z.strictObject({ ids }),
	roles: managing,
	sentence: ({ ids }) => `Reopened ${countOf(ids)}`,
	examples: [{ ids: ["item", "another item"] }],
	async apply(context, { ids }) {
		for (const item of await findItems(context, ids))
			await decide(context, item, null);
	},
});

function countOf(ids: readonly string[]): string {
	return ids.length === 1 ? "1 inbox item" : `${ids.length} inbox items`;
}

/**
 * Finds the items that this database has. The server may have raised fewer for a sale than its till did, and after a restore
 * it raises those of a lost sale under other ids, so that waiting for an item could last for ever.
 */
async function findItems(
	context: Context,
	ids: readonly string[],
): Promise<StoredItem[]> {
	const found: StoredItem[] = [];
	for (const id of new Set(ids)) {
		const item = await context.find(inboxItem, id);
		if (item) found.push(item);
	}
	return found;
}

async function decide(
	context: Context,
	{ id, decidedAt }: StoredItem,
	resolution: string | null,
): Promise<void> {
	if (decidedAt !== null && decidedAt > context.at) return;
	await context.update(inboxItem, id, {
		resolution,
		decidedAt: context.at,
		decidedBy: context.userId,
	});
}
