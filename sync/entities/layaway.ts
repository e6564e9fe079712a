import * as z from "zod";
import {
	approval,
	type LimitedLine,
	limitConcerns,
	linesBeyond,
} from "./approval.ts";
import {
	type Context,
	defineEntity,
	defineMutation,
	type RowOf,
} from "./entity.ts";
import { dateFact, fixDay } from "./fact-date.ts";
import {
	computed,
	day,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { type InboxConcern, raise } from "./inbox.ts";
import { toDecimal } from "./money.ts";
import { creditMethod } from "./payment.ts";
import { product } from "./product.ts";
import { saleItemRow, saleItems, totalOf } from "./sale-item.ts";
import { assertExact, priceOf } from "./sale-pack.ts";
import { addedRates, fixTaxes } from "./sale-tax.ts";
import { listOf } from "./sentence.ts";

/*
 * Goods kept for a customer who pays in parts. Keeping them moves neither stock nor revenue: what the customer pays meanwhile
 * is theirs, and the sale that hands the goods over counts everything once.
 */

export const layawayRow = z.object({
	id: recordId,
	businessId: recordId,
	customerId: recordId,
	/** The lines as they were promised, with their prices and taxes. */
	items: z.array(
		saleItemRow
			.omit({ saleId: true, isStockless: true, tax: true })
			.extend({ isService: z.boolean() }),
	),
	total: computed,
	/** By when the customer wants to have paid. Null if nobody said. */
	dueDay: day.nullable(),
	/** How it ended; of two tills' answers, the first that the server got. */
	state: z.enum(["open", "completed", "cancelled"]),
	businessDay: day,
	userId: recordId.nullable(),
	deviceId: recordId.nullable(),
	createdAt: timestamp,
	/** The sale that handed the goods over. Absent of any other state. */
	saleId: recordId.optional(),
	/** When it was completed or cancelled. Absent while it is open. */
	endedAt: timestamp.optional(),
});
/** A layaway in wire form, with what was paid for it and not given back, and the name of the record that remains of a customer. */
export const layawayWire = layawayRow
	.extend({ deposited: computed, customerName: text(200).nullable() })
	.meta({ id: "Layaway" });
export type Layaway = z.input<typeof layawayWire>;

export const layaway = defineEntity({
	name: "layaway",
	table: "layaways",
	row: layawayRow,

	async expand(tx, businessId, rows) {
		if (rows.length === 0) return [];
		const ids = JSON.stringify(rows.map(({ id }) => id));
		const sums = await tx.all(
			`SELECT layaway_id, sum(amount) AS owed FROM payments
       WHERE business_id = ? AND layaway_id IN (SELECT value FROM json_each(?)) AND method = ? AND deleted = 0 GROUP BY layaway_id`,
			...[businessId, ids, creditMethod],
		);
		const names = await tx.all(
			`SELECT layaways.id, customers.name FROM layaways
       JOIN customers AS named ON named.business_id = layaways.business_id AND named.id = layaways.customer_id
       JOIN customers ON customers.business_id = named.business_id AND customers.id = coalesce(named.merged_into, named.id)
       WHERE layaways.business_id = ? AND layaways.id IN (SELECT value FROM json_each(?))`,
			...[businessId, ids],
		);
		const owed = new Map(sums.map((row) => [row.layaway_id, Number(row.owed)]));
		const nameById = new Map(names.map(({ id, name }) => [id, name]));
		return rows.map(({ id }) => ({
			deposited: toDecimal(0 - (owed.get(id) ?? 0)),
			customerName: nameById.get(id) ?? null,
		}));
	},
});
type StoredLayaway = RowOf<typeof layaway>;

/** Keeps goods for a customer, at the prices of today. */
export const layawayCreate = defineMutation({
	name: "layaway.create",
	args: z.strictObject({
		id: recordId,
		customerId: recordId,
		items: saleItems,
		dueDay: layawayRow.shape.dueDay.default(null),
		businessDay: day.optional(),
		/** Where its prices go beyond its maker's limits. */
		approval: approval.optional(),
	}),
	sentence: ({ customerId, items }) =>
		`Kept ${listOf(items.map(({ quantity, name, price }) => `${quantity} x ${name} at ${price}`))} for customer ${customerId}`,
	examples: [
		{
			id: "layaway",
			customerId: "customer",
			items: [
				{
					...{ id: "1", name: "Radio", quantity: 1, price: 2_400 },
					...{ cost: 1_800, productId: "product" },
				},
			],
			dueDay: "2026-12-24",
		},
	],
	prepare: async (context, args) => {
		assertExact(args.items);
		const dated = await fixDay(context, args);
		return { ...dated, items: await fixTaxes(context, dated) };
	},
	async apply(context, { businessDay, approval, ...args }) {
		const { id, items } = args;
		const isSame = (a: StoredLayaway) =>
			a.customerId === args.customerId &&
			JSON.stringify(a.items) === JSON.stringify(items);
		if (await context.isRecorded(layaway, id, isSame)) return;
		const dated = await dateFact(context, businessDay);
		const { businessId, userId, deviceId } = context;
		await context.insert(layaway, {
			...{ ...args, businessId, userId, deviceId, state: "open" },
			...{ total: totalOf(items), businessDay: dated.day },
			createdAt: dated.at,
		});
		const limited: LimitedLine[] = [];
		const rates = await addedRates(context, items, dated.day);
		for (const line of items) {
			const { productId } = line;
			const kept = productId && (await context.find(product, productId));
			const rate = rates.get(productId ?? "");
			const price = kept ? await priceOf(context, line, kept, rate) : undefined;
			const sellingPrice = price?.isOld ? line.price : (price?.now ?? null);
			limited.push({ ...line, sellingPrice });
		}
		for (const concern of await limitConcerns(context, {
			...{ act: layawayCreate.name, id, approval },
			beyond: (limits) => linesBeyond(limited, limits),
		}))
			await raise(context, null, concern);
	},
});

/** Lets the goods go back on sale. What was paid for them stays the customer's. */
export const layawayCancel = defineMutation({
	name: "layaway.cancel",
	args: z.strictObject({ id: recordId, reason: requiredText(500) }),
	sentence: ({ id, reason }) => `Cancelled layaway ${id}: ${reason}`,
	examples: [{ id: "layaway", reason: "Bought elsewhere" }],
	async apply(context, { id }) {
		const { state, total, saleId } = await context.get(layaway, id, "id");
		if (state === "open")
			await context.update(layaway, id, {
				...{ state: "cancelled", endedAt: context.at },
			});
		// The goods are gone, and somebody may have promised the money back.
		else if (state === "completed" && saleId !== undefined)
			await raise(context, saleId, { cause: "layaway_ended", amount: total });
	},
});

/** What a sale hands over of a layaway. */
interface HandedOver {
	/** What a person should look at. */
	concerns: InboxConcern[];
	/** Returns whether a line was promised at its price. It is asked of each line once: no more is promised than was kept. */
	isPromised(line: KeptLine): boolean;
}

type KeptLine = Pick<
	StoredLayaway["items"][number],
	"productId" | "packId" | "packSize" | "price" | "quantity"
>;

/** A sale that names a layaway. */
interface Handing {
	layawayId: string | undefined;
	saleId: string;
	total: number;
}

/** Completes the layaway that a sale names. Goods went, whatever another till said of it before. */
export async function handOver(
	context: Context,
	{ layawayId, saleId, total }: Handing,
): Promise<HandedOver> {
	if (layawayId === undefined) return { concerns: [], isPromised: () => false };
	const found = await context.find(layaway, layawayId);
	const isOpen = found?.state === "open";
	if (isOpen)
		await context.update(layaway, layawayId, {
			...{ state: "completed", saleId, endedAt: context.at },
		});
	const kept = new Map<string, number>();
	const keyOf = ({ productId, packId, packSize, price }: KeptLine) =>
		JSON.stringify([productId, packId, packSize, price]);
	const leftOf = (line: KeptLine) => kept.get(keyOf(line)) ?? 0;
	for (const item of found?.items ?? [])
		kept.set(keyOf(item), leftOf(item) + item.quantity);
	return {
		concerns: isOpen ? [] : [{ cause: "layaway_ended", amount: total }],
		isPromised(line) {
			const left = leftOf(line) - line.quantity;
			if (left >= 0) kept.set(keyOf(line), left);
			return left >= 0;
		},
	};
}

/** The same for a sale that is recorded already: a till that did not know the layaway may have made it again after a loss. */
export async function handOverLate(
	context: Context,
	handing: Handing,
): Promise<InboxConcern[]> {
	const { layawayId, saleId } = handing;
	if (layawayId === undefined) return [];
	const found = await context.find(layaway, layawayId);
	if (found?.saleId === saleId) return [];
	const [reported] = await context.all(
		"SELECT id FROM inbox_items WHERE business_id = ? AND sale_id = ? AND cause = 'layaway_ended' LIMIT 1",
		...[context.businessId, saleId],
	);
	return reported ? [] : (await handOver(context, handing)).concerns;
}
