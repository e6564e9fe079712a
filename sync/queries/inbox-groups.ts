import * as z from "zod";
import { computed, recordId, timestamp } from "../entities/fields.ts";
import {
	inboxIdsMax,
	inboxItemRow,
	type StoredItem,
} from "../entities/inbox.ts";
import { sumOfProducts, toDecimal, unitMicros } from "../entities/money.ts";
import { businessDay, toIso } from "../protocol/clock.ts";
import type { DbRow, Value } from "../store/store.ts";
import { businessGet, businessToday } from "./business.ts";
import { stakeOf, unitPrice } from "./inbox-stake.ts";
import { placesBy } from "./place.ts";
import { defineList, defineQuery, type QueryContext } from "./query.ts";
import { all, raw, type Sql, sql } from "./sql.ts";

/** What is sorted out together: the items of one cause and one product, or of one shift, or else of one sale. */
const groupKey = {
	cause: inboxItemRow.shape.cause,
	productId: recordId.nullable(),
	/** Null if the group has a product or a shift, which may be about many sales. */
	saleId: recordId.nullable(),
	shiftId: recordId.nullable(),
};
type GroupKey = z.output<z.ZodObject<typeof groupKey>>;

const saleIdsMax = 5;

const groupRow = z
	.object({
		...groupKey,
		items: z.int(),
		/** The newest item's moment. */
		newestAt: timestamp,
		/** The sum over the items. */
		quantity: z.number().nullable(),
		moneyAtStake: z.number().nullable(),
		/** The newest sales. */
		saleIds: z.array(recordId).max(saleIdsMax),
		/** The newest sale's. */
		receiptNumber: z.string().nullable(),
		/** The name and the price in the newest sale's line of the product. */
		soldAs: z.string().nullable(),
		soldAt: computed.nullable(),
		/** The product as it is now. Null if this shop doesn't have it. */
		product: z
			.object({
				name: z.string(),
				quantity: computed,
				sellingPrice: computed.nullable(),
				isActive: z.boolean(),
			})
			.nullable(),
	})
	.meta({ id: "InboxGroup" });
export type InboxGroup = z.input<typeof groupRow>;

const isOpen = raw("deleted = 0 AND resolution IS NULL");
const isDismissed = raw("deleted = 0 AND resolution IS NOT NULL");
/** Texts take part in an order, which NULL has no place in. */
const keyColumns = raw(
	`cause, coalesce(product_id, '') AS product_id, CASE WHEN product_id IS NULL AND shift_id IS NULL THEN coalesce(sale_id, '') ELSE '' END AS sale_id,
    coalesce(shift_id, '') AS shift_id`,
);

const openPlaces = placesBy<InboxGroup>(
	["string", "string", "string", "string", "string"],
	({ newestAt, cause, productId, saleId, shiftId }) => [
		...[newestAt, cause, productId ?? "", saleId ?? "", shiftId ?? ""],
	],
);

export const inboxGroups = defineList({
	name: "inbox.groups",
	summary:
		"The open items of the inbox by cause and product, the group with the latest item first",
	args: {},
	row: groupRow,
	placeOf: openPlaces.placeOf,
	async read(context, _, { after, limit }) {
		const { tx, businessId } = context;
		const found = await all(
			tx,
			sql`SELECT * FROM (
        SELECT ${keyColumns}, max(created_at) AS newest FROM inbox_items
        WHERE business_id = ${businessId} AND ${isOpen} GROUP BY 1, 2, 3, 4
      ) AS found ${behind(openPlaces.read(after), "newest, cause, product_id, sale_id, shift_id")}
      ORDER BY newest DESC, cause DESC, product_id DESC, sale_id DESC, shift_id DESC LIMIT ${limit}`,
		);
		const rows: InboxGroup[] = [];
		for (const one of found)
			rows.push(await toGroup(context, keyOf(one), isOpen));
		return { rows };
	},
});

const dismissedRow = groupRow
	.extend({
		reason: z.string(),
		dismissedAt: timestamp,
		dismissedBy: recordId.nullable(),
		/** Null if this database does not know the account. */
		userName: z.string().nullable(),
	})
	.meta({ id: "DismissedInboxGroup" });
type DismissedGroup = z.input<typeof dismissedRow>;

const dismissedPlaces = placesBy<DismissedGroup>(
	["string", "string", "string", "string", "string", "string"],
	({ dismissedAt, cause, productId, saleId, shiftId, reason }) => [
		...[dismissedAt, cause, productId ?? "", saleId ?? "", shiftId ?? ""],
		reason,
	],
);

/** Wherever a shop is, its business day began less than two days ago. */
const dayMsMax = 48 * 3_600_000;

export const inboxDismissed = defineList({
	name: "inbox.dismissed",
	summary:
		"What was dismissed on this business day, by cause, product and moment, the latest first",
	args: {},
	row: dismissedRow,
	placeOf: dismissedPlaces.placeOf,
	async read(context, _, { after, limit }) {
		const { tx, businessId, now } = context;
		const { timeZone, cutOffHour } = await businessGet.run(context, {});
		const { day } = await businessToday.run(context, {});
		const found = await all(
			tx,
			sql`SELECT found.*, (SELECT users.name FROM users JOIN memberships ON memberships.user_id = users.id
          WHERE memberships.business_id = ${businessId} AND users.id = found.decided_by) AS user_name
      FROM (
        SELECT ${keyColumns}, resolution, decided_at, max(decided_by) AS decided_by FROM inbox_items
        WHERE business_id = ${businessId} AND ${isDismissed} AND decided_at > ${toIso(now - dayMsMax)}
        GROUP BY 1, 2, 3, 4, resolution, decided_at
      ) AS found ${behind(dismissedPlaces.read(after), "decided_at, cause, product_id, sale_id, shift_id, resolution")}
      ORDER BY decided_at DESC, cause DESC, product_id DESC, sale_id DESC, shift_id DESC, resolution DESC LIMIT ${limit}`,
		);
		const rows: DismissedGroup[] = [];
		for (const one of found) {
			const dismissedAt = one.decided_at as string;
			// All that follow are older.
			if (businessDay(dismissedAt, timeZone, cutOffHour) < day) break;
			const reason = one.resolution as string;
			const state = sql`${isDismissed} AND decided_at = ${dismissedAt} AND resolution = ${reason}`;
			rows.push({
				...(await toGroup(context, keyOf(one), state)),
				reason,
				dismissedAt,
				dismissedBy: one.decided_by as string | null,
				userName: one.user_name as string | null,
			});
		}
		return { rows };
	},
});

export const inboxItems = defineQuery({
	name: "inbox.items",
	summary: `The ids of a group's newest items, ${inboxIdsMax} at most`,
	args: z.strictObject({
		...groupKey,
		shiftId: groupKey.shiftId.default(null),
		/** Those that were dismissed at this moment; otherwise those that are open. */
		dismissedAt: timestamp.optional(),
	}),
	answer: z.object({ ids: z.array(recordId) }),
	async run({ tx, businessId }, { dismissedAt, ...key }) {
		const state =
			dismissedAt === undefined
				? isOpen
				: sql`${isDismissed} AND decided_at = ${dismissedAt}`;
		const found = await all(
			tx,
			sql`SELECT id FROM inbox_items WHERE business_id = ${businessId} AND ${state} AND ${inGroup(key)}
        ORDER BY created_at DESC, id DESC LIMIT ${inboxIdsMax}`,
		);
		return { ids: found.map(({ id }) => id as string) };
	},
});

export const inboxCount = defineQuery({
	name: "inbox.count",
	summary: "The number of groups that somebody still has to look at",
	args: z.strictObject({}),
	answer: z.object({ groups: z.int() }),
	async run({ tx, businessId }) {
		const [counted] = await all(
			tx,
			sql`SELECT count(*) AS found FROM (
        SELECT DISTINCT ${keyColumns} FROM inbox_items WHERE business_id = ${businessId} AND ${isOpen}) AS groups`,
		);
		return { groups: Number(counted?.found) };
	},
});

function behind(key: Value[] | undefined, columns: string): Sql {
	if (!key) return raw("");
	const [first = null, ...others] = key;
	const values = others.reduce<Sql>(
		(listed, value) => sql`${listed}, ${value}`,
		sql`${first}`,
	);
	return sql`WHERE (${raw(columns)}) < (${values})`;
}

function keyOf({ cause, product_id, sale_id, shift_id }: DbRow): GroupKey {
	return {
		cause: cause as GroupKey["cause"],
		productId: (product_id as string) || null,
		saleId: (sale_id as string) || null,
		shiftId: (shift_id as string) || null,
	};
}

function inGroup({ cause, productId, saleId, shiftId }: GroupKey): Sql {
	const which =
		shiftId !== null
			? sql`shift_id = ${shiftId}`
			: productId === null
				? sql`product_id IS NULL AND shift_id IS NULL AND coalesce(sale_id, '') = ${saleId ?? ""}`
				: sql`product_id = ${productId}`;
	return sql`cause = ${cause} AND ${which}`;
}

/** @param state which of the group's items count */
async function toGroup(
	context: QueryContext,
	key: GroupKey,
	state: Sql,
): Promise<InboxGroup> {
	const { tx, businessId } = context;
	const items = (await all(
		tx,
		sql`SELECT cause, quantity, amount, sale_id, created_at,
        (SELECT ${raw(unitPrice)} FROM sale_items AS line WHERE line.business_id = item.business_id AND line.sale_id = item.sale_id
          AND line.product_id = item.product_id ORDER BY position DESC LIMIT 1) AS sold_at
      FROM inbox_items AS item WHERE business_id = ${businessId} AND ${state} AND ${inGroup(key)}
      ORDER BY created_at DESC, id DESC`,
	)) as unknown as [GroupItem, ...GroupItem[]];
	const [newest] = items;
	const now = await findProduct(context, key.productId);
	const [sold] = await all(
		tx,
		sql`SELECT receipt_number, (SELECT name FROM sale_items AS line WHERE line.business_id = sales.business_id
          AND line.sale_id = sales.id AND line.product_id = ${key.productId} ORDER BY position DESC LIMIT 1) AS sold_as
      FROM sales WHERE business_id = ${businessId} AND id = ${newest.sale_id}`,
	);
	return {
		...key,
		items: items.length,
		newestAt: newest.created_at,
		quantity: quantityOf(items),
		moneyAtStake: moneyAtStakeOf(items, now?.sellingPrice ?? null),
		saleIds: [...new Set(items.flatMap(({ sale_id }) => sale_id ?? []))].slice(
			0,
			saleIdsMax,
		),
		receiptNumber: (sold?.receipt_number ?? null) as string | null,
		soldAs: (sold?.sold_as ?? null) as string | null,
		soldAt: newest.sold_at === null ? null : toDecimal(newest.sold_at),
		product: now && {
			...now,
			quantity: toDecimal(now.quantity),
			sellingPrice:
				now.sellingPrice === null ? null : toDecimal(now.sellingPrice),
		},
	};
}

interface GroupItem extends Pick<StoredItem, "cause" | "quantity" | "amount"> {
	sale_id: string | null;
	created_at: string;
	sold_at: number | null;
}

async function findProduct(
	{ tx, businessId }: QueryContext,
	id: string | null,
) {
	const [found] = await all(
		tx,
		sql`SELECT name, quantity, selling_price, is_active FROM products
      WHERE business_id = ${businessId} AND id = ${id} AND deleted = 0`,
	);
	return found
		? {
				name: found.name as string,
				quantity: found.quantity as number,
				sellingPrice: found.selling_price as number | null,
				isActive: found.is_active === 1,
			}
		: null;
}

function quantityOf(items: readonly GroupItem[]): number | null {
	const counted = items.flatMap(({ quantity }) => quantity ?? []);
	if (counted.length === 0) return null;
	const each = counted.map((quantity) => ({ price: unitMicros, quantity }));
	return toDecimal(sumOfProducts(each));
}

function moneyAtStakeOf(
	items: readonly GroupItem[],
	price: number | null,
): number | null {
	const stakes = items.flatMap(
		(item) => stakeOf(item, { price, soldAt: item.sold_at }) ?? [],
	);
	return stakes.length === 0 ? null : toDecimal(sumOfProducts(stakes));
}
