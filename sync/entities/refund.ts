import * as z from "zod";
import { ShopError, SumOverflow } from "../protocol/errors.ts";
import {
	type Approval,
	approval,
	limitConcerns,
	takingBackBeyond,
} from "./approval.ts";
import { type Context, defineEntity, defineMutation } from "./entity.ts";
import { dateFact } from "./fact-date.ts";
import {
	computed,
	day,
	quantity,
	recordId,
	requiredText,
	text,
	timestamp,
} from "./fields.ts";
import { raise } from "./inbox.ts";
import { sumOfProducts } from "./money.ts";
import { isExact, unitsOf } from "./pack-row.ts";
import { type Tender, tenders } from "./payment.ts";
import { moveStock } from "./product.ts";
import {
	type EarlierRefund,
	givenTooMuch,
	payBack,
	refundPayment,
} from "./refund-payment.ts";
import { sale } from "./sale.ts";
import { linesMax } from "./sale-limits.ts";
import { fixDayAndShift, lateConcerns } from "./shift.ts";
import { taxBack } from "./tax-amount.ts";

export const refundItemRow = z.object({
	id: recordId,
	refundId: recordId,
	/** The sale's line. */
	itemId: recordId,
	quantity,
	/** The part of the line's tax that goes back. Absent without tax. */
	tax: computed.optional(),
});

export const refundRow = z
	.object({
		id: recordId,
		businessId: recordId,
		saleId: recordId,
		/** A void takes back everything that is left of a sale and ends it. */
		kind: z.enum(["void", "refund"]),
		reason: requiredText(500),
		restock: z.boolean(),
		total: computed,
		cost: computed,
		businessDay: day,
		userId: recordId.nullable(),
		deviceId: recordId.nullable(),
		createdAt: timestamp,
		/** How the money was given back. Absent if by the sale's own method. */
		paymentMethod: text(500).optional(),
		/** What the total was more than was given back: a coin, or what the sale lacked. Negative is what was given too. Absent of none. */
		rounding: computed.optional(),
		/** True if payments beside it say how it was given back. Else absent. */
		hasPayments: z.boolean().optional(),
		/** The shift that it was made in. Absent where none was open. */
		shiftId: recordId.optional(),
		items: z.array(refundItemRow),
	})
	.meta({ id: "Refund" });
type StoredRefund = z.output<typeof refundRow>;
type StoredSale = z.output<typeof sale.row>;
type SoldLine = StoredSale["items"][number];

export const refund = defineEntity({
	name: "refund",
	table: "refunds",
	row: refundRow,
	lines: {
		field: "items",
		table: "refund_items",
		parent: "refund_id",
		row: refundItemRow,
	},
});

const shared = {
	id: recordId,
	saleId: recordId,
	reason: refundRow.shape.reason,
	businessDay: day.optional(),
	/** How the money is given back. By default as the sale was paid, and what was lent first. */
	tenders: tenders.optional(),
	/** The shift of the drawer, fixed when it is made. */
	shiftId: recordId.optional(),
	/** Where it goes beyond its maker's limits. */
	approval: approval.optional(),
};
const since = { tenders: 2, shiftId: 3, approval: 4 };

/** Takes back everything that is left of a sale. */
export const saleVoid = defineMutation({
	name: "sale.void",
	args: z.strictObject({ ...shared, restock: z.boolean().default(true) }),
	since,
	sentence: ({ saleId, reason }) => `Voided sale ${saleId}: ${reason}`,
	examples: [{ id: "void", saleId: "sale", reason: "Wrong customer" }],
	prepare: fixDayAndShift,
	async apply(context, args) {
		const { id, saleId, restock } = args;
		const isSame = (a: StoredRefund) =>
			a.kind === "void" && a.saleId === saleId && a.restock === restock;
		if (await context.isRecorded(refund, id, isSame)) return;
		const voided = await context.get(sale, saleId, "saleId");
		const { left, earlier } = await readLinesLeft(context, voided);
		const items = [...left.values()]
			.filter(({ quantity }) => quantity > 0)
			.map((line) => ({ ...line, id: context.nextId() }));
		await takeBack(context, voided, {
			...{ ...args, kind: "void", items, earlier },
		});
	},
});

/** Takes back parts of lines. Goods return to stock only if `restock` is true. */
export const saleRefund = defineMutation({
	name: "sale.refund",
	args: z.strictObject({
		...shared,
		restock: z.boolean().default(false),
		items: z
			.array(refundItemRow.omit({ refundId: true, tax: true }).strict())
			.min(1)
			.max(linesMax)
			.refine(
				(items) => new Set(items.map(({ id }) => id)).size === items.length,
				"Two lines have the same id",
			),
	}),
	since,
	sentence: ({ saleId, reason, items }) =>
		`Refunded ${items.length} ${items.length === 1 ? "line" : "lines"} of sale ${saleId}: ${reason}`,
	examples: [
		{
			id: "refund",
			saleId: "sale",
			reason: "Flat",
			restock: true,
			items: [{ id: "1", itemId: "1", quantity: 1 }],
		},
	],
	prepare: fixDayAndShift,
	async apply(context, args) {
		const { id, saleId, restock } = args;
		const isSame = (a: StoredRefund) =>
			a.kind === "refund" &&
			a.saleId === saleId &&
			a.restock === restock &&
			linesOf(a.items) === linesOf(args.items);
		if (await context.isRecorded(refund, id, isSame)) return;
		const sold = await context.get(sale, saleId, "saleId");
		const { left, earlier } = await readLinesLeft(context, sold);
		const items: TakenLine[] = [];
		for (const [i, item] of args.items.entries()) {
			const { itemId, quantity } = item;
			const rest = left.get(itemId);
			if (!rest)
				throw new ShopError(
					"not_found",
					"The sale has no such line",
					`items.${i}.itemId`,
				);
			if (quantity === 0)
				throw new ShopError(
					"invalid_args",
					"Must be greater than 0",
					`items.${i}.quantity`,
				);
			if (quantity > rest.quantity)
				throw new ShopError(
					"over_refunded",
					"More than is left of this line",
					`items.${i}.quantity`,
				);
			if (!rest.line.isStockless && !isExact({ ...rest.line, quantity }))
				throw new ShopError(
					"invalid_args",
					"This part of a pack can't be counted to a millionth",
					`items.${i}.quantity`,
				);
			const tax = taxBack(rest.line, rest, quantity);
			rest.quantity -= quantity;
			if (tax !== undefined) rest.tax = (rest.tax ?? 0) - tax;
			items.push({ ...item, line: rest.line, tax });
		}
		await takeBack(context, sold, {
			...{ ...args, kind: "refund", items, earlier },
		});
	},
});

function linesOf(
	items: readonly { id: string; itemId: string; quantity: number }[],
): string {
	return JSON.stringify(
		items.map(({ id, itemId, quantity }) => [id, itemId, quantity]),
	);
}

interface TakeBack
	extends Pick<
		z.output<typeof refundRow>,
		"id" | "kind" | "reason" | "restock"
	> {
	businessDay?: string | undefined;
	shiftId?: string | undefined;
	approval?: Approval | undefined;
	tenders?: readonly Tender[] | undefined;
	items: readonly TakenLine[];
	/** The sale's refunds before this one. */
	earlier: readonly EarlierRefund[];
}

/** The part of a sale's line that is taken back. */
interface TakenLine {
	id: string;
	itemId: string;
	quantity: number;
	tax: number | undefined;
	line: SoldLine;
}

async function takeBack(
	context: Context,
	sold: StoredSale,
	{ businessDay, items, tenders, earlier, approval, ...args }: TakeBack,
): Promise<void> {
	const sum = (field: "price" | "cost") =>
		sumOfProducts(
			items.map(({ line, quantity }) => ({ price: line[field], quantity })),
		);
	const total = sum("price");
	const dated = await dateFact(context, businessDay, sold.createdAt);
	const { entries, ...paid } = await refundPayment(context, sold, {
		...{ total, tenders, earlier },
	});
	const made: StoredRefund = {
		...args,
		...paid,
		businessId: context.businessId,
		saleId: sold.id,
		total,
		cost: sum("cost"),
		businessDay: dated.day,
		userId: context.userId,
		deviceId: context.deviceId,
		createdAt: dated.at,
		items: items.map(({ line: _, ...item }) => ({
			...item,
			refundId: args.id,
		})),
	};
	await context.insert(refund, made);
	await payBack(context, sold, made, entries);
	if (args.restock) await putBack(context, sold, args.kind, dated.at, items);
	const { id, kind } = args;
	const isOthers = await isOthersSale(context, sold);
	const amount = Math.max(total, total - (made.rounding ?? 0));
	const before = earlier.reduce((sum, one) => sum + one.amount, 0);
	const concerns = await limitConcerns(context, {
		...{ act: `sale.${kind}`, id, approval },
		beyond: (limits) =>
			takingBackBeyond({ kind, amount, before }, isOthers, limits),
	});
	const tooMuch =
		concerns.length === 0
			? await givenTooMuch(context, sold, made, earlier)
			: 0;
	if (tooMuch > 0)
		concerns.push({ cause: "refund_over_limit", amount: tooMuch });
	concerns.push(...(await lateConcerns(context, { ...made, amount: -total })));
	// Last, so that the other rows keep the ids that the till gave them.
	for (const concern of concerns) await raise(context, sold.id, concern);
	if (dated.isCorrected)
		await raise(context, sold.id, { cause: "clock", amount: total });
}

/** Returns true for another's sale, also where a session that did not bring it names its maker without a proof. */
async function isOthersSale(
	{ userId, carrierId, ...context }: Context,
	{ id, userId: seller }: StoredSale,
): Promise<boolean> {
	if (seller !== userId) return true;
	if (carrierId === null || !context.isServers) return false;
	const { businessId } = context;
	const [sold] = await context.all(
		"SELECT carrier_id FROM mutations WHERE business_id = ? AND version = (SELECT version FROM sales WHERE business_id = ? AND id = ?)",
		...[businessId, businessId, id],
	);
	return sold?.carrier_id !== carrierId;
}

/** Returns the goods to stock. */
async function putBack(
	context: Context,
	sold: StoredSale,
	reason: "void" | "refund",
	createdAt: string,
	lines: readonly TakenLine[],
): Promise<void> {
	for (const { itemId, quantity: taken, line } of lines) {
		const { productId } = line;
		const quantity = unitsOf({ ...line, quantity: taken });
		if (productId === null || line.isStockless) continue;
		const moved = { productId, delta: quantity, createdAt };
		try {
			await moveStock(context, {
				...{ ...moved, reason },
				...{ saleId: sold.id, itemId },
			});
		} catch (error) {
			if (!(error instanceof SumOverflow)) throw error;
			await raise(context, sold.id, {
				cause: "uncountable_stock",
				productId,
				quantity,
			});
		}
	}
}

/**
 * Reads what is left of each line of a sale, by line id and in the sale's order, and which refunds took the rest.
 *
 * @throws ShopError `already_voided`
 */
async function readLinesLeft(
	context: Context,
	sold: StoredSale,
): Promise<{
	left: Map<string, Omit<TakenLine, "id">>;
	earlier: EarlierRefund[];
}> {
	const left = new Map(
		sold.items.map((line) => [
			line.id,
			{ itemId: line.id, quantity: line.quantity, tax: line.tax, line },
		]),
	);
	const earlier = await context.all(
		`SELECT refunds.id, refunds.kind, refunds.payment_method, refunds.total, refunds.rounding, refunds.has_payments, refund_items.item_id, refund_items.quantity, refund_items.tax FROM refunds
     LEFT JOIN refund_items ON refund_items.business_id = refunds.business_id AND refund_items.refund_id = refunds.id
     WHERE refunds.business_id = ? AND refunds.sale_id = ?`,
		context.businessId,
		sold.id,
	);
	for (const { kind, item_id: itemId, quantity, tax } of earlier) {
		if (kind === "void")
			throw new ShopError(
				"already_voided",
				"The sale was voided before",
				"saleId",
			);
		const line = left.get(itemId as string);
		if (!line) continue;
		line.quantity -= quantity as number;
		if (line.tax !== undefined) line.tax -= Number(tax);
	}
	const byId = new Map(
		earlier.map((row): [string, EarlierRefund] => [
			row.id as string,
			{
				id: row.id as string,
				paymentMethod: row.payment_method as string | null,
				amount: Number(row.total) - Number(row.rounding ?? 0),
				total: Number(row.total),
				hasPayments: row.has_payments !== null,
			},
		]),
	);
	return { left, earlier: [...byId.values()] };
}
